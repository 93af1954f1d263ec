// Keys of the page, and the list of them in the help.

// Seconds that an arrow key goes back or forth.
const SEEK = 0.1;

// Each key has: what it is called, what it does, and the action.
export function keys(act) {
  return [
    ['Space', 'pause, go on', act.play],
    ['.', 'one step', act.step],
    ['← →', 'a tenth of a second back, forth', null],
    ['Shift+← → ↑ ↓', 'the camera turns', null],
    ['S', 'slow motion', act.slower],
    ['D', 'drop, with another orientation', act.fall],
    ['R', 'the same fall again', act.again],
    ['L', 'let go of the animation', act.release],
    ['U', 'get up', act.getup],
    ['J', 'all joints hold, or none', act.hold],
    ['H', 'a hundred ragdolls', act.crowd],
    ['Q W E T', 'the mouse drags, pushes, shoots, shapes', null],
    ['1 2 3 4 5 6', 'skin, bodies, joints, bones, limits, contacts', null],
    ['C', 'camera back to its place', act.camera],
    ['?  F1', 'this page', act.help],
    ['Ctrl+Z  Ctrl+Y', 'undo and redo changes of the text', null],
    ['Ctrl+Space', 'words that fit here (in the text)', null],
    ['F8', 'next problem (in the text)', null],
    ['Ctrl+Shift+F', 'tidy the text', null],
    ['Ctrl+S', 'save the doll', null],
    ['Esc', 'from the text to the scene', null],
  ];
}

export function listen(list, act) {
  const simple = new Map(
    list
      .filter(([, , action]) => action)
      .flatMap(([name, , action]) =>
        name.split(/ {2}/).map(key => [key === 'Space' ? ' ' : key.toLowerCase(), action]),
      ),
  );
  const tools = {q: 'drag', w: 'push', e: 'shoot', t: 'shape'};
  const shows = {1: 'skin', 2: 'bodies', 3: 'joints', 4: 'bones', 5: 'limits', 6: 'contacts'};
  // After the mouse has pressed a button, or set a list or a slider, keys are the page's again; those who use the
  // keyboard stay there.
  let isMouse = false;
  addEventListener(
    'pointerdown',
    () => {
      isMouse = true;
    },
    {capture: true},
  );
  addEventListener(
    'keydown',
    () => {
      isMouse = false;
    },
    {capture: true},
  );
  addEventListener(
    'change',
    (/** @type {{target: any}} */ {target}) =>
      isMouse && target.matches?.('select, input[type=range]') && target.blur(),
  );
  addEventListener(
    'click',
    (/** @type {{target: any}} */ {target}) =>
      isMouse && target.closest?.('button:not(dialog button, .cm-editor button)')?.blur(),
  );
  addEventListener('keydown', event => {
    const key = event.key.toLowerCase();
    const target = /** @type {Element} */ (event.target);
    const inText = target.closest?.('.cm-editor');
    if (key === 'f1') {
      event.preventDefault();
      return act.help();
    }
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      if (inText) return;
      if ((key === 'z' || key === 'y') && !target.closest?.('dialog, input[type=number]')) {
        event.preventDefault();
        if (key === 'y' || event.shiftKey) act.redo();
        else act.undo();
      }
      if (key === 's') {
        event.preventDefault();
        act.save();
      }
      if (key === 'f' && event.shiftKey) {
        event.preventDefault();
        act.tidy();
      }
      return;
    }
    if (inText) {
      // The editor closes its own lists first.
      if (key === 'escape' && !event.defaultPrevented) act.leave();
      return;
    }
    if (event.altKey || target.closest?.('dialog, select, input[type=text], input[type=number], input[type=range]'))
      return;
    // Space presses a button that has the focus.
    if (key === ' ' && target.closest?.('button, input')) return;
    if (event.shiftKey && key.startsWith('arrow')) act.turn(event);
    else if (key === 'arrowleft' || key === 'arrowright') act.seekBy(key === 'arrowleft' ? -SEEK : SEEK);
    else if (tools[key]) act.tool(tools[key]);
    else if (shows[key]) act.show(shows[key]);
    else if (simple.has(key)) simple.get(key)();
    else return;
    event.preventDefault();
  });
}
