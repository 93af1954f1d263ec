/** Failure of a call. */
export declare class SkelobjError extends Error {
  /** Name of the status, such as "BAD_FILE". */
  readonly status: string;
}

/** Instance of the library. */
export declare class Skelobj {
  /**
   * Starts an instance. `source` is the file skelobj.wasm, as bytes, as a response, or compiled; it may be compressed
   * by gzip.
   */
  static load(source: BufferSource | Response | WebAssembly.Module | Promise<Response>): Promise<Skelobj>;
  /** Compiled file, from which other instances can be loaded. */
  readonly module: WebAssembly.Module;
  /** Functions of C as they are, with numbers and addresses, and the memory. */
  readonly raw: Record<string, (...parameters: (number | bigint)[]) => any> & {readonly memory: WebAssembly.Memory};
  /**
   * `true` after a defect of skelobj ended the instance; every further call throws. Set it after a function of `raw`
   * has thrown: only a defect makes it throw.
   */
  isDead: boolean;
  /** Returns zeroed memory, aligned to 16 bytes. */
  alloc(size: number): Address;
  /** Frees memory of `alloc`. */
  free(address: Address): void;
  /** Returns a view of memory, which is valid until the next call. */
  floats(address: Address, count: number): Float32Array;
  /** Returns a view of memory, which is valid until the next call. */
  words(address: Address, count: number): Uint32Array;
  /** Returns a view of memory, which is valid until the next call. */
  bytes(address: Address, count: number): Uint8Array;
  /** Returns a text that ends with a zero; `null` for the address 0. */
  text(address: Address): string | null;
  /** Returns a copy of a struct. */
  struct<T>(name: string, address: Address): T;
  /** Returns copies of structs. */
  structs<T>(name: string, address: Address, count: number): T[];
  /** Writes some fields of a struct. */
  setStruct(name: string, address: Address, fields: Record<string, unknown>): void;
  /** Throws the last failure if a status of a function of `raw` is not `Status.OK`. */
  expect(status: number): void;
  /** Puts a file where models and worlds find it by its name. */
  putFile(name: string, bytes: Uint8Array): void;
  /** Removes all files. */
  clearFiles(): void;
  /** Source of the files that were put, for a SkelobjLoadDef or a SkelobjWorldDef. */
  readonly files: SkelobjFiles;
}
