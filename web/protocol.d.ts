// Messages between the page and the worker. Places are in Quake's world space: X forward, Y left, Z up, in units.
// A matrix is 12 floats, three rows of four: forward x, left x, up x, origin x, then y, then z.

export type Problem = {
  severity: 'error' | 'warning';
  code: string;
  /** From 1. */
  line: number;
  column: number;
  /** UTF-8 bytes of the text that the problem is about. */
  start: number;
  end: number;
  /** Message without line and severity; with advice. */
  message: string;
  /** Text to write in the place of those bytes, null if none is known. */
  suggestion: string | null;
};

export type File = {name: string; bytes: Uint8Array};

/** Doll of a file, with LF at the ends of its lines. `ending` is what the file has there. */
export type DollText = {name: string; text: string; ending: string};

export type Word = {
  /** As written in tidy text: `LoStop`. */
  word: string;
  /** Where it may stand: in bodies, in joints, or on its own. */
  under: 'line' | 'body' | 'joint';
  /** Arguments: `RADIANS`, `box|sphere|cylinder|capsule`. */
  arguments: string;
  /** Text of docs/dolls.md about the word, Markdown. */
  docs: string;
  /** Addresses of its pictures, by their places in the text. */
  pictures: Record<string, string>;
};

/**
 * Where a joint with ranges is: a frame on either of its bodies, which are at the same place in the reference pose. X
 * is its axis, Y the second one. Angles are those of the first body seen from the second, as in the doll.
 */
export type Limits = {
  frame1: number[];
  frame2: number[];
  /** Lowest and highest angle (distance of a slider) of both axes, and of the twist about Z; null without stops. */
  ranges: [number[] | null, number[] | null, number[] | null];
  /** From the joint to the middle of the second body, in its frame. */
  limb: number[];
};

/** Requests carry `id`, and are answered by `{type: 'answer', id, ...}` or `{type: 'answer', id, error}`. */
export type ToWorker =
  /**
   * The worker answers `ready`, then what it shows, then the first frame. `globalThis.library` is the compiled library.
   */
  | {type: 'init'; scene: SceneFiles}
  /**
   * Asks for a frame, which comes after the next step. One step is made for each sixtieth of a second of real time
   * between two requests, four at most, and one after `play`. Send it from requestAnimationFrame after each frame, and
   * once after `ready`; while time stands still, only after another message.
   * Frames have contact points until the next request without `contacts`.
   */
  | {type: 'next'; contacts?: boolean}
  /** Shows another scene; `answer` tells when it is loaded. */
  | {type: 'scene'; id: number; scene: SceneFiles}
  /**
   * Files that were dropped: a model with its files, a doll, a map, or files beside the model, named with the folders
   * that were dropped. Answers the problems of the doll, the doll that was dropped, and which files are of no use;
   * fails if none is of use.
   */
  | {type: 'load'; id: number; files: File[]}
  /**
   * Answers all problems; the fall starts again with the doll if none is an error. With `keeps`, it goes on where it
   * was: what happened in the fall is repeated with the new doll. A crowd starts again, and so does a fall of which the
   * beginning is forgotten.
   */
  | {type: 'doll'; id: number; text: string; keeps?: boolean}
  /**
   * Answers the problems of `skelobj check`, with `drops` falls (20 by default), which take seconds. Everything else
   * goes on meanwhile. Another check or `uncheck` ends it: its problems are null then.
   */
  | {type: 'check'; id: number; text: string; drops?: number}
  | {type: 'uncheck'}
  | {type: 'fit'; id: number}
  | {type: 'format'; id: number; text: string}
  | {type: 'words'; id: number}
  | {type: 'play'; speed: number; paused: boolean}
  | {type: 'step'}
  /** Seconds on the clock of frames. */
  | {type: 'seek'; time: number}
  /** Starts again: `null` lets go on the floor, a number drops as `skelobj sim --seed`. */
  | {type: 'drop'; seed: number | null}
  /**
   * Starts again with a death in which the bodies become limp over so many seconds while the animation plays on, from
   * its beginning, as `skelobj sim --fade`; null is at once, after 0.4 seconds of the animation. `release` takes the
   * same time.
   */
  | {type: 'fade'; seconds: number | null}
  /** Starts again as the last time. */
  | {type: 'reset'}
  /** Lets go now, whatever plays. */
  | {type: 'release'}
  | {type: 'drag'; phase: 'start' | 'move' | 'end'; origin: number[]; direction: number[]}
  /** `speed` is that of the whole figure afterwards, if nothing holds it, units per second: 40 is a shot. */
  | {type: 'shoot'; origin: number[]; direction: number[]; speed: number}
  /**
   * Pushes in the next step with an acceleration of the whole figure, units per second squared: 3000 is strong. Several
   * pushes before a step count as one.
   */
  | {type: 'push'; origin: number[]; direction: number[]; acceleration: number}
  /** Without a name: all joints. */
  | {type: 'joint'; name: string | null; on: boolean}
  | {type: 'strength'; body: string | null; value: number}
  | {type: 'muscle'; value: number}
  | {type: 'getup'}
  | {type: 'ground'; ground: 'floor' | 'stairs' | 'door' | 'water' | 'bsp'}
  | {type: 'crowd'; count: number}
  /** Shows an animation, -1 for the bind pose; `null` drops the figure again. */
  | {type: 'animation'; index: number | null; time: number; playing: boolean};

export type SceneFiles = {
  /** Name of a built-in scene: mannequin (default), dog, rope, ponytail, turret. `doll` may replace its doll. */
  builtin?: string;
  model?: File;
  side?: File[];
  doll?: {name: string; text: string};
  /** The palette is `palette.lmp` of the game, for maps of Quake. */
  level?: File & {palette?: Uint8Array};
  seed?: number | null;
  /** Seconds of the message `fade`; those of the scene before by default. */
  fade?: number | null;
  /** Factor of all lengths of the model, 0.001 to 1000; 1 by default. */
  scale?: number;
};

export type FromWorker =
  /**
   * `unused` has the places of files of no use among `files`; `complaint` names them, each on a line with the reason.
   */
  | {
      type: 'answer';
      id: number;
      error?: string;
      problems?: Problem[] | null;
      doll?: DollText | null;
      text?: string;
      words?: Word[];
      unused?: number[];
      complaint?: string;
    }
  | {
      type: 'model';
      name: string;
      /** Factor of all lengths. */
      scale: number;
      /** Names of all files, of the model and beside it. */
      files: string[];
      /** Parents are indices, -1 for a root; `bind` is in model space, the inverse of the inverse bind matrix. */
      bones: {name: string; parent: number; bind: Float32Array}[];
      meshes: {
        name: string;
        material: string;
        positions: Float32Array;
        normals: Float32Array | null;
        uvs: Float32Array | null;
        colors: Float32Array | null;
        /** Four for each vertex; null for meshes that bone 0 moves alone. */
        joints: Uint16Array | null;
        weights: Float32Array | null;
        /** Counter-clockwise seen from outside. */
        indices: Uint32Array;
        /** Colour of the material, linear; null for none. */
        color: number[] | null;
        /** Picture file: in the model, or dropped beside it. */
        image: {type: string; bytes: Uint8Array} | null;
        /** The alpha of the picture means nothing. */
        isOpaque: boolean;
      }[];
      /** Those with several poses are sequences of animations with one pose each. */
      animations: {name: string; duration: number; loops: boolean; poses: number}[];
      warnings: string[];
    }
  | {
      type: 'doll';
      /** The text that runs now, and its file's name. */
      text: string;
      name: string;
      /** The text is that of a `doll` request, so the page has it, or newer text. */
      isAnswer: boolean;
      /** The fall goes on where it was. */
      isKept: boolean;
      /** The text was made for the model at its size. */
      isFitted: boolean;
      /** Factor of lengths of physics, limits and grounds: 1 unless the doll is likely to be in another unit. */
      unit: number;
      /** `offsetAxes` are the columns of a rotation, three rows: the axes of the offset in the space of the body. */
      bodies: {
        name: string;
        bone: number;
        shape: 'box' | 'sphere' | 'capsule' | 'cylinder';
        size: number[];
        offset: number[];
        line: number;
        offsetAxes: number[];
      }[];
      joints: {name: string; kind: string; body1: number; body2: number; line: number; limits: Limits | null}[];
      problems: Problem[];
    }
  | {
      type: 'level';
      kind: string;
      /** Triangles, world space; the floor at z = 0 is not among them. */
      positions: Float32Array;
      indices: Uint32Array;
      /** Of maps, as are the two below: the column and the row of the texture; it repeats. */
      uvs?: Float32Array;
      /** Runs of indices with the same image, an index; null for triangles without. */
      groups?: {start: number; count: number; image: number | null}[];
      /** Rows from the top, four bytes for each pixel. */
      images?: {width: number; height: number; rgba: Uint8Array}[];
      floor: number | null;
      /** Boxes that move: the places are in frames. */
      doors: {mins: number[]; maxs: number[]}[];
      water: {mins: number[]; maxs: number[]} | null;
    }
  | {
      type: 'frame';
      /** Seconds since the start; goes back by `seek` and `drop`. */
      time: number;
      /** First and last time to which `seek` can go. */
      earliest: number;
      latest: number;
      /** Ragdolls of `crowd`. */
      count: number;
      /** World * inverse bind: count * bones * 12 floats. */
      palettes: Float32Array;
      /** count * bodies * 13 floats: matrix, then the state, an index of STATES in page/colors.js. */
      bodies: Float32Array;
      /** Of the first ragdoll: joints * 10 floats: gap, excess, mode (0 on, 1 off), anchor1, anchor2, twist. */
      joints: Float32Array;
      /** 7 floats each: point, normal, and the force as a share of the weight of a ragdoll. */
      contacts: Float32Array;
      doors: Float32Array;
      /** Vertices of meshes that frames or targets move, before bones move them; those left out are as before. */
      morphs: {mesh: number; positions: Float32Array; normals: Float32Array}[];
      /**
       * For each step since the last frame: time, gap, excess, speed, energy, and the index of the mode in
       * page/frame.js.
       */
      samples: Float32Array;
      /** `excess` counts a slider's units as eighths of a radian, as the limits of check do. */
      metrics: {
        gap: number;
        excess: number;
        speed: number;
        energy: number;
        asleep: boolean;
        stepMs: number;
        awake: number;
      };
      /** Point that the mouse drags, and where it is dragged to; null if it does not. */
      drag: number[] | null;
      /** Where the last shot or push hit since the last frame. */
      hit: number[] | null;
      /** `start`: the animation before the fall plays. */
      mode: 'start' | 'falling' | 'animation' | 'getup';
      /** Animation that shows, and its time. */
      animation: {index: number; time: number} | null;
    }
  /** A check drops the doll now, which will take about so many seconds. */
  | {type: 'checking'; seconds: number}
  | {type: 'error'; text: string}
  | {type: 'note'; text: string}
  | {
      type: 'ready';
      /** Limits of `skelobj check`: units, radians, seconds. Joints may gap by eight times as much in a fall. */
      limits: {gap: number; excess: number; sleep: number};
      builtins: string[];
    };

/** A request to the worker, by its type. */
export type Request<Type extends ToWorker['type']> = Extract<ToWorker, {type: Type}>;

/** A request that is answered, before it has an id. */
export type Question = {[Type in ToWorker['type']]: Omit<Request<Type>, 'id'>}[Extract<ToWorker, {id: number}>['type']];

/** What the worker tells, by its type. */
export type Told<Type extends FromWorker['type']> = Extract<FromWorker, {type: Type}>;
