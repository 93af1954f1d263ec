// What the sources have without an import: the files that esbuild puts into the bundles, and globals.

declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.html' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.doll' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.iqm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** Set in the worker by the page's loader: the address of the program, and the compiled library. */
declare const code: string;
declare const library: Promise<WebAssembly.Module>;
/** That of a worker, beside that of a window, which TypeScript knows. */
declare function postMessage(message: unknown, moved: Transferable[]): void;

/** The page, for its tests. */
declare var skelobjPage: any;

/** Whoever looks for an element knows its kind. */
interface Document {
  getElementById(id: string): any;
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
