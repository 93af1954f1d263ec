// The builtins in an engine with a QuakeC machine of its own: `Args` and `Host` over its globals and entities.
//
// cargo run --features qc --example quakec_host
//
// Only what such an engine must provide is here. The other methods of both traits have defaults: without pointers,
// callbacks, DarkPlaces' tag globals and limits, everything else works.
use std::collections::HashMap;

use skelobj::math::{Axes, Vec3};
use skelobj::model::FrameFields;
use skelobj::qc::{Args, Builtin, Entity, Field, Host, ModelRef};
use skelobj::runtime::ModelId;
use skelobj::{Model, Runtime, assets};

/// Machine of the engine: words of 32 bits, as in every QuakeC machine. String 0 is empty, entity 0 the world.
#[derive(Default)]
pub struct Machine {
    pub globals: Vec<u32>,
    pub entities: Vec<Vec<u32>>,
    pub strings: Vec<Vec<u8>>,
    pub argc: usize,
}

const RETURN: usize = 1; // three words
const ARGUMENTS: usize = 4; // eight times three words

/// Places in a progs, found by name when it is loaded. No call looks up a name again.
pub struct Places {
    builtins: Vec<Option<&'static Builtin>>, // by the index in the declarations of the progs
    fields: [Option<usize>; Field::ALL.len()],
    axes: [usize; 3],
    time: usize,
}

impl Places {
    /// Resolves the declared builtins, by number or, for number 0, by name, and the fields and globals.
    pub fn new(builtins: &[(u32, &str)], fields: &HashMap<&str, usize>, globals: &HashMap<&str, usize>) -> Self {
        let builtin = |&(number, name): &(u32, &str)| match number {
            0 => Builtin::by_name(name),
            number => Builtin::by_number(number),
        };
        Self {
            builtins: builtins.iter().map(builtin).collect(),
            fields: std::array::from_fn(|number| fields.get(Field::ALL[number].name()).copied()),
            axes: ["v_forward", "v_right", "v_up"].map(|name| globals[name]),
            time: globals["time"],
        }
    }
}

/// Everything that builtins may reach during one call.
pub struct Call<'a> {
    pub machine: &'a mut Machine,
    pub places: &'a Places,
    pub models: &'a [ModelId], // model index 1 is the first
}

impl Call<'_> {
    /// Runs a declared builtin, as the machine does at a CALL statement; `false` for one that the engine must provide.
    pub fn run(&mut self, runtime: &mut Runtime, declared: usize) -> bool {
        let Some(builtin) = self.places.builtins[declared] else { return false };
        builtin.call(runtime, self);
        true
    }

    fn argument(&self, number: usize) -> u32 {
        if number < self.machine.argc { self.machine.globals[ARGUMENTS + 3 * number] } else { 0 }
    }

    fn vector_at(words: &[u32], at: usize) -> Vec3 {
        Vec3::from_array([at, at + 1, at + 2].map(|word| words.get(word).map_or(0.0, |bits| f32::from_bits(*bits))))
    }

    fn set_vector_at(&mut self, at: usize, value: Vec3) {
        self.machine.globals[at..at + 3].copy_from_slice(&value.to_array().map(f32::to_bits));
    }

    fn entity_words(&self, entity: Entity) -> &[u32] {
        self.machine.entities.get(entity.0 as usize).map_or(&[], Vec::as_slice)
    }

    fn field(&self, entity: Entity, field: Field) -> u32 {
        let place = self.places.fields[field as usize];
        place.and_then(|place| self.entity_words(entity).get(place)).copied().unwrap_or(0)
    }

    fn set_field(&mut self, entity: Entity, field: Field, bits: u32) {
        let words = self.machine.entities.get_mut(entity.0 as usize);
        if let Some(word) = self.places.fields[field as usize].zip(words).and_then(|(at, words)| words.get_mut(at)) {
            *word = bits;
        }
    }
}

#[rustfmt::skip]
impl Args for Call<'_> {
    fn argc(&self) -> usize { self.machine.argc }
    fn float(&self, n: usize) -> f32 { f32::from_bits(self.argument(n)) }
    fn vector(&self, n: usize) -> Vec3 {
        if n < self.machine.argc { Self::vector_at(&self.machine.globals, ARGUMENTS + 3 * n) } else { Vec3::ZERO }
    }
    fn string(&self, n: usize) -> &[u8] { self.machine.strings.get(self.argument(n) as usize).map_or(&[], |text| text) }
    fn entity(&self, n: usize) -> Entity { Entity(self.argument(n).into()) }

    fn return_float(&mut self, value: f32) { self.machine.globals[RETURN] = value.to_bits(); }
    fn return_vector(&mut self, value: Vec3) { self.set_vector_at(RETURN, value); }
    fn return_string(&mut self, value: &[u8]) {
        self.machine.strings.push(value.to_vec()); // a real engine frees its temporary strings
        self.machine.globals[RETURN] = self.machine.strings.len() as u32 - 1;
    }
    fn set_float(&mut self, n: usize, value: f32) { self.machine.globals[ARGUMENTS + 3 * n] = value.to_bits(); }
}

#[rustfmt::skip]
impl Host for Call<'_> {
    fn float_field(&self, entity: Entity, field: Field) -> f32 { f32::from_bits(self.field(entity, field)) }
    fn vector_field(&self, entity: Entity, field: Field) -> Vec3 {
        let place = self.places.fields[field as usize];
        place.map_or(Vec3::ZERO, |place| Self::vector_at(self.entity_words(entity), place))
    }
    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity> {
        Some(Entity(self.field(entity, field).into())).filter(|entity| entity.0 != 0)
    }
    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32) {
        self.set_field(entity, field, value.to_bits());
    }
    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity) {
        self.set_field(entity, field, value.0 as u32);
    }

    // All animation fields in one call: the entity is found once. `single_frame` is the next step.
    fn frame_fields(&self, entity: Entity) -> FrameFields {
        let (words, mut fields) = (self.entity_words(entity), FrameFields::default());
        for (value, place) in fields.as_floats_mut().iter_mut().zip(self.places.fields) {
            *value = place.and_then(|place| words.get(place)).map_or(0.0, |bits| f32::from_bits(*bits));
        }
        fields
    }

    fn axes(&self) -> Axes {
        let [forward, right, up] = self.places.axes.map(|place| Self::vector_at(&self.machine.globals, place));
        Axes { forward, right, up }
    }
    fn set_axes(&mut self, axes: Axes) {
        for (place, axis) in self.places.axes.into_iter().zip([axes.forward, axes.right, axes.up]) {
            self.set_vector_at(place, axis);
        }
    }
    fn time(&self) -> f32 { f32::from_bits(self.machine.globals[self.places.time]) }
    fn model(&mut self, _: &mut Runtime, index: i32) -> ModelRef {
        match usize::try_from(index) {
            Ok(0) => ModelRef::None,
            Ok(index) => self.models.get(index - 1).map_or(ModelRef::Unknown, |model| ModelRef::Model(*model)),
            Err(_) => ModelRef::Unknown,
        }
    }
    fn print(&mut self, text: &str) { print!("{text}"); }
}

/// Poses a monster as its QuakeC would, and returns the height of its head.
pub fn play() -> Result<f32, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    let models = [runtime.add_model("mannequin.iqm", model)?];

    // What the loader of the progs finds: builtins with their numbers, and the places of fields and globals.
    let builtins = [(263, "skel_create"), (264, "skel_build"), (268, "skel_find_bone"), (0, "skel_get_boneabs")];
    let fields = HashMap::from([("frame", 0), ("frame1time", 1), ("skeletonindex", 2), ("modelindex", 3)]);
    let globals = HashMap::from([("time", 30), ("v_forward", 31), ("v_right", 34), ("v_up", 37)]);
    let places = Places::new(&builtins, &fields, &globals);
    let mut machine = Machine {
        globals: vec![0; 40],
        entities: vec![vec![0; 4]; 2],
        strings: vec![Vec::new(), b"head".to_vec()],
        argc: 0,
    };
    let monster = 1;
    machine.entities[monster] = [2.0, 0.3, 0.0, 1.0].map(f32::to_bits).to_vec(); // it runs
    let mut call = |declared: usize, arguments: &[u32]| -> Result<[f32; 3], String> {
        machine.argc = arguments.len();
        for (number, bits) in arguments.iter().enumerate() {
            machine.globals[ARGUMENTS + 3 * number] = *bits;
        }
        let done = Call { machine: &mut machine, places: &places, models: &models }.run(&mut runtime, declared);
        let result = [RETURN, RETURN + 1, RETURN + 2].map(|word| f32::from_bits(machine.globals[word]));
        done.then_some(result).ok_or(format!("unknown builtin {declared}"))
    };
    let [object, ..] = call(0, &[1f32.to_bits()])?.map(f32::to_bits);
    call(1, &[object, monster as u32, 1f32.to_bits(), 0, 0, 0])?;
    let [head, ..] = call(2, &[object, 1])?.map(f32::to_bits);
    let [_, _, height] = call(3, &[object, head])?;
    Ok(height)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("the head is {:.1} units high", play()?);
    Ok(())
}
