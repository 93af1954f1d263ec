// skelobj in JavaScript: the C API of include/skelobj.h, compiled to WebAssembly. skelobj.d.ts has the types.
//
// Every function of C is a method without its prefix: skelobj_model_load is modelLoad. Texts are strings, structs are
// objects, defs need the fields only that differ from the default, results that C writes through pointers are returned
// (several as an array), and a failure is thrown. Ids are numbers; their types in skelobj.d.ts differ.
import {ENUMS, FUNCTIONS, STRUCTS} from './layout.js';

export const {
  Status,
  Kind,
  LogLevel,
  Part,
  FileKind,
  Space,
  BodyShape,
  BodyMode,
  JointMode,
  RestMode,
  NormalLength,
  Group,
  ShapeKind,
  LiquidKind,
  Geometry,
  SurfaceKind,
  Replication,
  DirectiveScope,
} = ENUMS;

const STATUS_NAMES = Object.fromEntries(Object.entries(ENUMS.Status).map(([name, value]) => [value, name]));
const OK = ENUMS.Status.OK;
const TOO_SMALL = ENUMS.Status.BUFFER_TOO_SMALL;
/** Room for a list in the first call, bytes. */
const FIRST_ROOM = 1 << 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const READ = {
  char: ['getUint8', 1],
  uint8_t: ['getUint8', 1],
  uint16_t: ['getUint16', 2],
  int32_t: ['getInt32', 4],
  uint32_t: ['getUint32', 4],
  size_t: ['getUint32', 4],
  pointer: ['getUint32', 4],
  text: ['getUint32', 4],
  float: ['getFloat32', 4],
  double: ['getFloat64', 8],
  uint64_t: ['getBigUint64', 8],
  int64_t: ['getBigInt64', 8],
};

export class SkelobjError extends Error {
  constructor(status, text) {
    super(text || STATUS_NAMES[status]);
    this.name = 'SkelobjError';
    this.status = STATUS_NAMES[status];
  }
}

const isGzip = bytes => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function compile(source) {
  source = await source;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
    source = await source.arrayBuffer();
  }
  let bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  if (isGzip(bytes)) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  }
  return WebAssembly.compile(bytes);
}

export class Skelobj {
  #view = new DataView(new ArrayBuffer(0));
  #files;

  static async load(source) {
    const module = await compile(source);
    return new Skelobj(module, await WebAssembly.instantiate(module, {}));
  }

  constructor(module, instance) {
    this.module = module;
    this.raw = instance.exports;
    this.isDead = false;
  }

  get #memory() {
    const {buffer} = this.raw.memory;
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
    return this.#view;
  }

  // A trap may leave anything behind, so nothing runs after it.
  #run(name, parameters) {
    if (this.isDead) throw new SkelobjError(ENUMS.Status.PANIC, 'a defect of skelobj ended this instance');
    try {
      return this.raw[name](...parameters);
    } catch (error) {
      this.isDead = true;
      throw new SkelobjError(ENUMS.Status.PANIC, `internal error in ${name}: ${error.message}`);
    }
  }

  alloc(size) {
    const address = this.#run('skelobj_wasm_alloc', [size]) >>> 0;
    if (address === 0) throw new SkelobjError(ENUMS.Status.LIMIT, `there are no ${size} bytes of memory`);
    return address;
  }

  free(address) {
    this.#run('skelobj_wasm_free', [address]);
  }

  floats(address, count) {
    return new Float32Array(this.raw.memory.buffer, address, count);
  }

  words(address, count) {
    return new Uint32Array(this.raw.memory.buffer, address, count);
  }

  bytes(address, count) {
    return new Uint8Array(this.raw.memory.buffer, address, count);
  }

  text(address) {
    if (address === 0) return null;
    const bytes = new Uint8Array(this.raw.memory.buffer, address);
    return decoder.decode(bytes.slice(0, bytes.indexOf(0)));
  }

  #read(type, address) {
    if (STRUCTS[type]) return this.struct(type, address);
    const value = this.#memory[READ[type][0]](address, true);
    return type === 'text' ? this.text(value) : value;
  }

  struct(name, address) {
    const result = {};
    for (const [field, [offset, type, count]] of Object.entries(STRUCTS[name].fields)) {
      const at = address + offset;
      if (count === undefined) result[field] = this.#read(type, at);
      else if (type === 'char') {
        const bytes = this.bytes(at, count);
        const end = bytes.indexOf(0);
        result[field] = decoder.decode(bytes.slice(0, end < 0 ? count : end));
      } else {
        const size = STRUCTS[type]?.size ?? READ[type][1];
        result[field] = Array.from({length: count}, (_, index) => this.#read(type, at + index * size));
      }
    }
    return result;
  }

  setStruct(name, address, values) {
    this.#writeStruct(name, address, values, () => fail(`${name} takes addresses of texts and bytes`));
  }

  structs(name, address, count) {
    return Array.from({length: count}, (_, index) => this.struct(name, address + index * STRUCTS[name].size));
  }

  #write(type, address, value, keep) {
    if (STRUCTS[type]) return this.#writeStruct(type, address, value, keep);
    // The view of the memory is taken after copies, which may let it grow.
    if (type === 'text' && value !== null) value = keep(this.#cString(value));
    else if (type === 'pointer' && value instanceof Uint8Array) value = keep(this.#copy(value));
    return this.#memory[READ[type][0].replace('get', 'set')](address, value ?? 0, true);
  }

  #writeStruct(name, address, values, keep) {
    const {fields} = STRUCTS[name];
    for (const [field, value] of Object.entries(values)) {
      const [offset, type, count] = fields[field] ?? fail(`${name} has no field ${field}`);
      if (value === undefined) continue;
      if (count === undefined) this.#write(type, address + offset, value, keep);
      else {
        const size = STRUCTS[type]?.size ?? READ[type][1];
        for (let index = 0; index < Math.min(count, value.length); index++) {
          this.#write(type, address + offset + index * size, value[index], keep);
        }
      }
    }
  }

  #copy(bytes, extra = 0) {
    const address = this.alloc(bytes.length + extra);
    this.bytes(address, bytes.length).set(bytes);
    return address;
  }

  #cString(text) {
    return this.#copy(encoder.encode(text), 1);
  }

  putFile(name, bytes) {
    const [text, data] = [this.#cString(name), this.#copy(bytes)];
    this.#run('skelobj_wasm_put_file', [text, data, bytes.length]);
    this.free(text);
    this.free(data);
  }

  clearFiles() {
    this.#run('skelobj_wasm_clear_files', []);
  }

  get files() {
    if (!this.#files) {
      const address = this.alloc(STRUCTS.SkelobjFiles.size);
      this.#run('skelobj_wasm_files', [address]);
      this.#files = this.struct('SkelobjFiles', address);
      this.free(address);
    }
    return this.#files;
  }

  expect(status) {
    if (status !== OK) throw this.#failure(status);
  }

  #failure(status) {
    const length = this.#run('skelobj_last_error', [0, 0]);
    const address = this.alloc(length + 1);
    this.#run('skelobj_last_error', [address, length + 1]);
    const text = this.text(address);
    this.free(address);
    return new SkelobjError(status, text);
  }

  // Defs get the defaults of their fields from C.
  #def(name, address) {
    const make = `skelobj_default_${name
      .slice('Skelobj'.length, -'Def'.length)
      .replace(/(?!^)([A-Z])/g, '_$1')
      .toLowerCase()}_def`;
    if (name.endsWith('Def') && FUNCTIONS[make]?.length === 1) this.#run(make, [address]);
  }

  /** Calls a function of C with parameters of JavaScript. */
  call(name, given) {
    const [[returns, struct], ...parameters] = FUNCTIONS[name];
    const mine = [];
    const keep = address => (mine.push(address), address);
    const own = size => keep(this.alloc(size));
    try {
      const passed = [];
      const results = [];
      const lists = [];
      let next = 0;
      const result = returns === 'struct' ? own(STRUCTS[struct].size) : 0;
      if (result) passed.push(result);
      for (const [parameter, kind, extra] of parameters) {
        const value = kind.startsWith('out') ? undefined : given[next++];
        if (value === undefined && !kind.startsWith('out')) throw new TypeError(`${name} lacks ${parameter}`);
        switch (kind) {
          case 'number':
            passed.push(Number(value));
            break;
          case 'bigint':
            passed.push(BigInt(value));
            break;
          case 'address':
            passed.push(value ?? 0);
            break;
          case 'text':
            passed.push(value === null ? 0 : keep(this.#cString(value)));
            break;
          case 'source':
          case 'bytes': {
            const bytes = typeof value === 'string' ? encoder.encode(value) : value;
            passed.push(keep(this.#copy(bytes)), bytes.length);
            break;
          }
          case 'floats': {
            const address = value === null ? 0 : own(extra * 4);
            if (address) this.floats(address, extra).set(value);
            passed.push(address);
            break;
          }
          case 'struct':
            if (value === null || typeof value === 'number') passed.push(value ?? 0);
            else {
              const address = own(STRUCTS[extra].size);
              this.#def(extra, address);
              this.#writeStruct(extra, address, value, keep);
              passed.push(address);
            }
            break;
          case 'structs': {
            const {size} = STRUCTS[extra];
            const address = own(size * Math.max(1, value.length));
            value.forEach((one, index) => this.#writeStruct(extra, address + index * size, one, keep));
            passed.push(address, value.length);
            break;
          }
          case 'outFloats': {
            const address = own(extra * 4);
            results.push(() => this.floats(address, extra).slice());
            passed.push(address);
            break;
          }
          case 'outStruct': {
            const address = own(STRUCTS[extra].size);
            results.push(() => this.struct(extra, address));
            passed.push(address);
            break;
          }
          case 'outNumber': {
            const address = own(8);
            results.push(() => this.#read(extra, address));
            passed.push(address);
            break;
          }
          default: {
            const list = {kind, type: extra, at: passed.length, count: own(4), address: 0};
            lists.push(list);
            results.push(() => this.#list(list));
            passed.push(...this.#room(list, FIRST_ROOM, own), list.count);
          }
        }
      }
      let status = this.#run(name, passed);
      if (lists.length > 0 && returns === 'status' && status === TOO_SMALL) {
        for (const list of lists) {
          // A text has a zero at its end.
          const count = this.#memory.getUint32(list.count, true) + 1;
          passed.splice(list.at, 2, ...this.#room(list, count * this.#size(list.type), own));
        }
        status = this.#run(name, passed);
      }
      if (returns === 'status' && status !== OK) throw this.#failure(status);
      if (returns === 'id' && status === 0 && !/_(find|world_find)_|_at$|_from_number$/.test(name)) {
        throw this.#failure(this.#run('skelobj_last_status', []));
      }
      const values = results.map(result => result());
      if (returns === 'struct') values.unshift(this.struct(struct, result));
      else if (returns === 'text') values.unshift(this.text(status >>> 0));
      else if (returns !== 'status' && returns !== 'nothing') values.unshift(status);
      return values.length > 1 ? values : values[0];
    } finally {
      if (!this.isDead) mine.forEach(address => this.free(address));
    }
  }

  #size(type) {
    return STRUCTS[type]?.size ?? READ[type]?.[1] ?? 1;
  }

  /** Returns the address and the capacity of a buffer for a list. */
  #room(list, bytes, own) {
    list.address = own(bytes);
    return [list.address, Math.floor(bytes / this.#size(list.type))];
  }

  #list({kind, type, address, count}) {
    const number = this.#memory.getUint32(count, true);
    if (kind === 'outText') return decoder.decode(this.bytes(address, number).slice());
    if (kind === 'outBytes') return this.bytes(address, number).slice();
    if (type === 'float') return Array.from(this.floats(address, number));
    if (type === 'uint32_t') return Array.from(this.words(address, number));
    const size = this.#size(type);
    return Array.from({length: number}, (_, index) => this.#read(type, address + index * size));
  }
}

function fail(text) {
  throw new TypeError(text);
}

for (const name of Object.keys(FUNCTIONS)) {
  const method = name.replace('skelobj_', '').replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  Skelobj.prototype[method] = function (...parameters) {
    return this.call(name, parameters);
  };
}
