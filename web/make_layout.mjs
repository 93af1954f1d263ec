// Makes layout.js and skelobj.d.ts from include/skelobj.h: `node make_layout.mjs`. With `--check`, it compares them.
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const header = readFileSync(here('../include/skelobj.h'), 'utf8');

/** Sizes of C's types on wasm32; a type is as aligned as it is large. */
const SIZES = {
  char: 1,
  uint8_t: 1,
  uint16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  int64_t: 8,
  uint64_t: 8,
  size_t: 4,
  float: 4,
  double: 8,
  pointer: 4,
};

const enums = {};
const aliases = {};
const structs = {};
const functions = {};
/** Structs of ids. WebAssembly passes a struct of one number as that number, so JavaScript has ids as numbers. */
const ids = new Set();
const camel = name => name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Splits declarations of a body, each with the comment above it. */
function declarations(text, end) {
  const found = [];
  let comment = [];
  let code = '';
  for (const line of text.split('\n').map(line => line.trim())) {
    if (line.startsWith('#')) continue;
    if (line.startsWith('//')) comment.push(line.replace(/^\/\/+ ?/, ''));
    else if (line === '') comment = code ? comment : [];
    else {
      code += (code && ' ') + line;
      if (line.endsWith(end)) {
        found.push({code: code.slice(0, -end.length), comment: comment.join(' ').trim()});
        [comment, code] = [[], ''];
      }
    }
  }
  return found;
}

/** Reads `const char *name[12]` and the like. */
function variable(code) {
  const callback = /^(.*)\(\*(\w+)\)\((.*)\)$/.exec(code);
  if (callback) return {name: callback[2], type: 'pointer', target: 'function', pointer: true};
  const [, constant, type, stars, name, count] = /^(const )?(\w+)\s*((?:\*|\bconst\b|\s)*)(\w+)(?:\[(\d+)\])?$/.exec(
    code,
  );
  const pointer = stars.includes('*');
  return {
    name,
    target: type,
    type: pointer ? 'pointer' : type,
    pointer,
    constant: !!constant,
    deep: (stars.match(/\*/g) ?? []).length > 1,
    count: count ? Number(count) : undefined,
  };
}

function resolve(type) {
  while (aliases[type]) type = aliases[type];
  return type in enums ? 'int32_t' : type;
}

function layout(fields) {
  let offset = 0;
  let align = 1;
  const laid = {};
  for (const field of fields) {
    const type = resolve(field.type);
    const inner = structs[type];
    const size = inner?.size ?? SIZES[type];
    const alignment = inner?.align ?? SIZES[type];
    if (!size) throw new Error(`unknown type ${type} of ${field.name}`);
    offset = Math.ceil(offset / alignment) * alignment;
    // Characters and texts are read as text.
    const kind = field.pointer ? (field.target === 'char' && !field.deep ? 'text' : 'pointer') : type;
    laid[field.name] = [offset, kind, ...(field.count ? [field.count] : [])];
    offset += size * (field.count ?? 1);
    align = Math.max(align, alignment);
  }
  return {size: Math.ceil(offset / align) * align, align, fields: laid};
}

const docs = {};
const body = header.slice(header.indexOf('#define SKELOBJ_VERSION'), header.indexOf('#ifdef __cplusplus'));
const block = /((?:^\/\/.*\n)*)^typedef (?:(enum|struct) \{\n([\s\S]*?)^\} (\w+);|(.*?)\s*(\*?)(\w+);)$/gm;
for (const [, comment, kind, inside, name, target, star, alias] of body.matchAll(block)) {
  docs[name ?? alias] = comment
    .replace(/^\/\/+ ?/gm, '')
    .trim()
    .replace(/\n/g, ' ');
  if (alias) aliases[alias] = star ? 'pointer' : target;
  else if (kind === 'enum') {
    const values = declarations(inside, ',').map(({code, comment}) => [...code.split(' = '), comment]);
    // C has the name of the enum before each value.
    const prefix = `${name.replace(/(?!^)([A-Z])/g, '_$1').toUpperCase()}_`;
    enums[name] = values.map(([name, value, comment]) => ({
      name: name.replace(prefix, ''),
      value: Number(value),
      comment,
    }));
  } else {
    const fields = declarations(inside, ';').map(({code, comment}) => ({...variable(code), comment}));
    if (fields.length === 1 && fields[0].name === 'id') {
      ids.add(name);
      aliases[name] = fields[0].type;
    } else structs[name] = {...layout(fields), declared: fields};
  }
}
for (const {code, comment} of declarations(header.slice(header.indexOf('extern "C" {') + 12), ';')) {
  const found = /^(.*?)(\w+)\((.*)\)$/.exec(code);
  if (!found?.[2].startsWith('skelobj_')) continue;
  const parameters = found[3] === 'void' ? [] : found[3].split(', ').map(variable);
  const result = variable(`${found[1].replace(/SKELOBJ_(NODISCARD|API)/g, '').trim()} result`);
  functions[found[2]] = {result, parameters, comment};
}

/** Returns how JavaScript passes the parameters of a function: kinds that skelobj.js knows. */
function passing({parameters}) {
  const list = [];
  for (let i = 0; i < parameters.length; i++) {
    const {name, target, pointer, constant, count} = parameters[i];
    const [next, after] = [parameters[i + 1], parameters[i + 2]];
    const struct = structs[target] && target;
    if (pointer && constant && target === 'char' && next?.name === 'size') list.push([name, 'source']), i++;
    else if (pointer && constant && target === 'uint8_t' && next?.name === 'size') list.push([name, 'bytes']), i++;
    else if (pointer && constant && target === 'char') list.push([name, 'text']);
    else if (constant && count) list.push([name, 'floats', count]);
    else if (count) list.push([name, 'outFloats', count]);
    else if (pointer && constant && struct && next?.name === 'count') list.push([name, 'structs', struct]), i++;
    else if (pointer && constant && struct) list.push([name, 'struct', struct]);
    else if (pointer && !constant && next?.name === 'capacity' && after?.pointer) {
      if (target === 'char') list.push([name, 'outText']);
      else if (target === 'uint8_t') list.push([name, 'outBytes']);
      else list.push([name, 'outList', struct || resolve(target)]);
      i += 2;
    } else if (pointer && !constant && struct) list.push([name, 'outStruct', struct]);
    else if (
      pointer &&
      !constant &&
      (ids.has(target) || ['int32_t', 'size_t', 'float'].includes(resolve(target))) &&
      !next?.name.startsWith('capacity') &&
      !/s$/.test(name)
    )
      list.push([name, 'outNumber', resolve(target)]);
    else
      list.push([
        name,
        pointer || resolve(target) === 'pointer' ? 'address' : resolve(target) === 'uint64_t' ? 'bigint' : 'number',
      ]);
  }
  return list;
}

/** Returns how JavaScript gets the result of a function. */
function returning({result}) {
  const {target, pointer} = result;
  if (target === 'SkelobjStatus' && !pointer) return ['status'];
  if (structs[target]) return ['struct', target];
  if (pointer) return target === 'char' ? ['text'] : ['address'];
  if (target === 'void') return ['nothing'];
  // An id that is 0 tells of a failure.
  if (ids.has(target)) return ['id'];
  return resolve(target) === 'uint64_t' ? ['bigint'] : ['number'];
}

const lines = [
  '// Structs, enums and functions of include/skelobj.h on wasm32. Made by make_layout.mjs; do not edit.',
  '',
  '/**',
  ' * Structs: size, alignment, and the offset, type and count of each field.',
  ' * @satisfies {Record<string, {size: number, align: number, fields: Record<string, [number, string, number?]>}>}',
  ' */',
  'export const STRUCTS = {',
  ...Object.entries(structs).map(([name, {size, align, fields}]) => {
    const inside = Object.entries(fields)
      .map(([field, place]) => `${field}: ${JSON.stringify(place)}`)
      .join(', ');
    return `  ${name}: {size: ${size}, align: ${align}, fields: {${inside}}},`;
  }),
  '};',
  '',
  '/** Enums. */',
  'export const ENUMS = {',
  ...Object.entries(enums).map(([name, values]) => {
    const inside = values.map(({name, value}) => `${name}: ${value}`).join(', ');
    return `  ${name.replace('Skelobj', '')}: {${inside}},`;
  }),
  '};',
  '',
  '/** Functions: result, and parameters as JavaScript passes them. */',
  'export const FUNCTIONS = {',
  ...Object.entries(functions).map(([name, it]) => `  ${name}: ${JSON.stringify([returning(it), ...passing(it)])},`),
  '};',
  '',
];
const wrap = (text, indent) => {
  const out = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && indent.length + 3 + line.length + 1 + word.length > 118) {
      out.push(line);
      line = word;
    } else line += (line && ' ') + word;
  }
  out.push(line);
  return out.length === 1
    ? [`${indent}/** ${out[0]} */`]
    : [`${indent}/**`, ...out.map(line => `${indent} * ${line}`), `${indent} */`];
};
const scalar = type => (type === 'uint64_t' || type === 'int64_t' ? 'bigint' : 'number');
function fieldType(field, next) {
  if (field.constant && field.target === 'uint8_t' && next?.name === 'size') return 'Uint8Array | Address';
  if (field.pointer) return field.target === 'char' && !field.deep ? 'string | null' : 'Address';
  const type = resolve(field.type);
  if (structs[type]) return field.count ? `${type}[]` : type;
  if (ids.has(field.type)) return field.type;
  if (type === 'pointer') return 'Address';
  if (type === 'char') return 'string';
  return field.count ? `${scalar(type)}[]` : scalar(type);
}
const types = {
  source: 'string | Uint8Array',
  bytes: 'Uint8Array',
  text: 'string | null',
  floats: 'ArrayLike<number> | null',
  address: 'Address',
  bigint: 'bigint',
  number: 'number',
};
/** Returns the type of an id that a parameter or result is declared as. */
const idType = (parameter, type) => (ids.has(parameter?.target) ? parameter.target : type);
const declared =
  ({parameters}) =>
  ([name, kind, extra]) => {
    if (kind === 'struct') return `${name}: Partial<${extra}> | Address | null`;
    if (kind === 'structs') return `${name}: Partial<${extra}>[]`;
    return `${name}: ${
      kind === 'number'
        ? idType(
            parameters.find(it => it.name === name),
            'number',
          )
        : types[kind]
    }`;
  };
const given =
  ({parameters}) =>
  ([name, kind, extra]) => {
    const own = idType(
      parameters.find(it => it.name === name),
      'number',
    );
    if (kind === 'outFloats') return 'Float32Array';
    if (kind === 'outText') return 'string';
    if (kind === 'outBytes') return 'Uint8Array';
    if (kind === 'outStruct') return extra;
    if (kind === 'outList') return structs[extra] ? `${extra}[]` : `${own}[]`;
    return own;
  };
function signature(it) {
  const list = passing(it);
  const [kind, extra] = returning(it);
  const inputs = list.filter(([, kind]) => !kind.startsWith('out')).map(declared(it));
  const outputs = list.filter(([, kind]) => kind.startsWith('out')).map(given(it));
  const own = {
    struct: extra,
    text: 'string',
    address: 'Address',
    bigint: 'bigint',
    id: it.result.target,
    number: 'number',
  }[kind];
  const results = own && kind !== 'status' ? [own, ...outputs] : outputs;
  const result = results.length > 1 ? `[${results.join(', ')}]` : (results[0] ?? 'void');
  return `(${inputs.join(', ')}): ${result};`;
}
const typed = [
  '// Types of skelobj.js. Made by make_layout.mjs from include/skelobj.h; do not edit.',
  '',
  '/** Address in the memory of the instance; 0 is null. */',
  'export type Address = number;',
  '',
  ...[...ids].flatMap(name => [
    ...wrap(docs[name].replace('all zeros are none', '0 is none'), ''),
    `export type ${name} = 0 | (number & {readonly kind: '${name.replace('Skelobj', '')}'});`,
    '',
  ]),
  ...Object.entries(structs).flatMap(([name, {declared}]) => [
    ...wrap(docs[name], ''),
    `export interface ${name} {`,
    ...declared.flatMap((field, at) => [
      ...wrap(field.comment, '  '),
      `  ${field.name}: ${fieldType(field, declared[at + 1])};`,
    ]),
    '}',
    '',
  ]),
  ...Object.entries(enums).flatMap(([name, values]) => [
    ...wrap(docs[name] || 'Values.', ''),
    `export declare const ${name.replace('Skelobj', '')}: {`,
    ...values.flatMap(({name, value, comment}) => [...wrap(comment, '  '), `  readonly ${name}: ${value};`]),
    '};',
    '',
  ]),
  readFileSync(here('skelobj.head.d.ts'), 'utf8').trimEnd(),
  '',
  '/** Functions of the C API under their names without `skelobj_`, such as `modelLoad`. They throw a SkelobjError. */',
  'export interface Skelobj {',
  ...Object.entries(functions).flatMap(([name, it]) => [
    ...wrap(it.comment, '  '),
    `  ${camel(name.replace('skelobj_', ''))}${signature(it)}`,
  ]),
  '}',
  '',
];
const made = {'layout.js': lines.join('\n'), 'skelobj.d.ts': typed.join('\n')};
for (const [name, text] of Object.entries(made)) {
  if (!process.argv.includes('--check')) writeFileSync(here(name), text);
  else if (readFileSync(here(name), 'utf8') !== text) {
    console.error(`${name} does not follow include/skelobj.h: run node web/make_layout.mjs`);
    process.exitCode = 1;
  }
}
