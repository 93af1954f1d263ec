// Scenes that come with the page, from the folder dolls.
import dogDoll from '../../dolls/dog.doll';
import dogModel from '../../dolls/dog.iqm';
import mannequinDoll from '../../dolls/mannequin.doll';
import mannequinModel from '../../dolls/mannequin.iqm';
import mannequinGetUps from '../../dolls/mannequin_getup.iqm';
import ponytailDoll from '../../dolls/ponytail.doll';
import ponytailModel from '../../dolls/ponytail.iqm';
import ropeDoll from '../../dolls/rope.doll';
import ropeModel from '../../dolls/rope.iqm';
import turretDoll from '../../dolls/turret.doll';
import turretModel from '../../dolls/turret.iqm';

const scene = (name, model, doll, side = []) => ({
  model: {name: `${name}.iqm`, bytes: model},
  doll: {name: `${name}.doll`, text: doll},
  side,
});

/** Scenes by their names, in the order in which they are offered. */
export const BUILTINS = {
  mannequin: scene('mannequin', mannequinModel, mannequinDoll, [{name: 'mannequin_getup.iqm', bytes: mannequinGetUps}]),
  dog: scene('dog', dogModel, dogDoll),
  rope: scene('rope', ropeModel, ropeDoll),
  ponytail: scene('ponytail', ponytailModel, ponytailDoll),
  turret: scene('turret', turretModel, turretDoll),
};
