// Files that were dropped: which of them is what.
import {plain} from '../page/lines.js';

/** Maximum size of all files together, bytes. */
export const MOST = 64 << 20;

const base = name => name.split(/[\\/]/).pop();
const extension = name => base(name).toLowerCase().match(/\.([^.]+)$/)?.[1] ?? '';

function isLevel(bytes) {
  const [a, b, c, d] = bytes, magic = String.fromCharCode(a, b, c, d);
  const version = a | b << 8 | c << 16 | d << 24;
  return ['IBSP', 'RBSP', 'FBSP', 'BSP2', '2PSB'].includes(magic) || version === 29 || version === 30;
}

const isImage = name => ['png', 'jpg', 'jpeg', 'tga', 'pcx', 'bmp', 'webp'].includes(extension(name));

const ARCHIVES = ['zip', 'pk3', 'pk4', 'pak', 'rar', '7z', 'gz'];

/** Sorts files: `{models, doll, level, others}`. The doll is a text with LF alone, and has the line end of the file. */
export function sort(skelobj, files) {
  const sorted = {models: [], doll: null, level: null, others: []};
  const total = files.reduce((sum, {bytes}) => sum + bytes.length, 0);
  if (total > MOST) throw new Error(`the files have ${(total / (1 << 20)).toFixed(0)} MB together; 64 are allowed`);
  for (const {name, bytes} of files) {
    const file = {name: base(name), bytes}, beside = {name: name.replaceAll('\\', '/'), bytes};
    if (ARCHIVES.includes(extension(name))) throw new Error(`${file.name} is an archive: unpack it, and drop the files in it`);
    if (extension(name) === 'doll') sorted.doll = {name: file.name, ...plain(skelobj.dollDecode(bytes))};
    else if (isImage(name)) sorted.others.push(beside);
    else if (isLevel(bytes)) sorted.level = file;
    else if (skelobj.formatDetect(bytes)[0] === 1) sorted.models.push(file);
    else sorted.others.push(beside);
  }
  return sorted;
}

/** Endings of pictures beside a model, in the order of preference. */
const ENDINGS = ['png', 'tga', 'jpg', 'jpeg', 'pcx'];

/** Returns the picture that a material states, or null: under this name or with another ending. */
export function picture(files, stated) {
  const name = base(stated.replaceAll('\\', '/')).toLowerCase(), stem = name.replace(/\.(png|tga|jpe?g|pcx)$/, '');
  const wanted = [name, ...ENDINGS.map(ending => `${stem}.${ending}`)];
  for (const one of wanted) {
    const found = files.find(file => base(file.name).toLowerCase() === one && isImage(file.name));
    if (found) return {type: extension(found.name), bytes: found.bytes};
  }
  return null;
}
