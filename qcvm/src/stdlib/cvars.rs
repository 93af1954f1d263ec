//! Console variables, and the builtins that read and set them.

use std::collections::BTreeMap;

use super::call::Call;
use super::number::leading;
use crate::Fault;

/// Maximum number of variables.
const MOST: usize = 8192;
/// Largest length of a name, bytes.
const LONGEST_NAME: usize = 64;
/// Largest length of a value, bytes.
const LONGEST: usize = 4096;

/// Flag of `cvar_type` for a variable that exists.
const EXISTS: f32 = 1.0;

/// Console variables of a host, by name. Case does not matter in names, as in FTE; they are kept in lower case.
///
/// There are at most 8192 variables, names have at most 64 bytes, and values at most 4096.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Cvars;
///
/// let mut cvars = Cvars::default();
/// assert!(cvars.set(b"sv_gravity", b"800"));
/// assert_eq!(cvars.get(b"sv_gravity"), Some(&b"800"[..]));
/// assert_eq!(cvars.float(b"SV_Gravity"), 800.0);
/// assert_eq!(cvars.float(b"sv_friction"), 0.0); // does not exist
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cvars(BTreeMap<Box<[u8]>, Variable>);

impl Cvars {
    /// Sets a variable, and creates it if it does not exist.
    ///
    /// The first value is also the default that `cvar_defstring` returns. Returns `false` if nothing was set: the name
    /// is empty or longer than 64 bytes, the value is longer than 4096 bytes, or 8192 variables exist.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Cvars;
    ///
    /// let mut cvars = Cvars::default();
    /// assert!(cvars.set(b"skill", b"1"));
    /// assert!(cvars.set(b"skill", b"3"));
    /// assert_eq!(cvars.default_of(b"skill"), Some(&b"1"[..]));
    /// assert!(!cvars.set(b"", b"3"));
    /// ```
    pub fn set(&mut self, name: &[u8], value: &[u8]) -> bool {
        if name.is_empty() || name.len() > LONGEST_NAME || value.len() > LONGEST {
            return false;
        }
        let name = name.to_ascii_lowercase();
        if let Some(variable) = self.0.get_mut(&*name) {
            variable.value = value.into();
            return true;
        }
        let has_room = self.0.len() < MOST;
        if has_room {
            self.0.insert(name.into(), Variable { value: value.into(), default: value.into() });
        }
        has_room
    }

    /// Creates a variable; returns `false` if it exists, or for one of the reasons of [`set`](Self::set).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Cvars;
    ///
    /// let mut cvars = Cvars::default();
    /// assert!(cvars.create(b"g_bob", b"0.02"));
    /// assert!(!cvars.create(b"g_bob", b"0.5"));
    /// assert_eq!(cvars.float(b"g_bob"), 0.02);
    /// ```
    pub fn create(&mut self, name: &[u8], value: &[u8]) -> bool {
        self.get(name).is_none() && self.set(name, value)
    }

    /// Returns the value of a variable, `None` if it does not exist.
    #[must_use]
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.find(name).map(|variable| &*variable.value)
    }

    /// Returns the value that a variable was created with, `None` if it does not exist.
    #[must_use]
    pub fn default_of(&self, name: &[u8]) -> Option<&[u8]> {
        self.find(name).map(|variable| &*variable.default)
    }

    fn find(&self, name: &[u8]) -> Option<&Variable> {
        let usual = name.iter().all(|byte| !byte.is_ascii_uppercase());
        if usual { self.0.get(name) } else { self.0.get(&*name.to_ascii_lowercase()) }
    }

    /// Returns the number that a variable's value starts with, 0 if there is none.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Cvars;
    ///
    /// let mut cvars = Cvars::default();
    /// cvars.set(b"fov", b"90 degrees");
    /// assert_eq!(cvars.float(b"fov"), 90.0);
    /// ```
    #[must_use]
    pub fn float(&self, name: &[u8]) -> f32 {
        self.get(name).map_or(0.0, leading)
    }

    /// Returns all variables and their values, in the order of their names.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Cvars;
    ///
    /// let mut cvars = Cvars::default();
    /// cvars.set(b"skill", b"1");
    /// cvars.set(b"fov", b"90");
    /// assert!(cvars.iter().eq([(&b"fov"[..], &b"90"[..]), (b"skill", b"1")]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.0.iter().map(|(name, variable)| (&**name, &*variable.value))
    }
}

/// Console variable: its value, and the value that it was created with.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Variable {
    value: Box<[u8]>,
    default: Box<[u8]>,
}

/// Function that reads one of a variable's texts, by its name.
type Read = fn(&Cvars, &[u8]) -> Option<Box<[u8]>>;

/// Returns a value of the variable that argument 0 names, `None` if it does not exist or the host has no variables.
fn value(call: &mut Call<'_>, read: Read) -> Result<Option<Box<[u8]>>, Fault> {
    let Call { machine, host, .. } = call;
    let name = machine.argument_string(0)?;
    Ok(host.cvars().and_then(|cvars| read(cvars, name)))
}

fn return_text(call: &mut Call<'_>, read: Read) -> Result<(), Fault> {
    let text = value(call, read)?.unwrap_or_default();
    call.return_string(&text)
}

/// Runs `cvar` (#45): 0 for a variable that does not exist.
pub(super) fn cvar(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = value(call, |cvars, name| cvars.get(name).map(Into::into))?.unwrap_or_default();
    call.return_float(leading(&text))
}

/// Runs `cvar_string` (#448).
pub(super) fn cvar_string(call: &mut Call<'_>) -> Result<(), Fault> {
    return_text(call, |cvars, name| cvars.get(name).map(Into::into))
}

/// Runs `cvar_defstring` (#482).
pub(super) fn cvar_defstring(call: &mut Call<'_>) -> Result<(), Fault> {
    return_text(call, |cvars, name| cvars.default_of(name).map(Into::into))
}

/// Runs `cvar_type` (#495): 1 for a variable that exists.
pub(super) fn cvar_type(call: &mut Call<'_>) -> Result<(), Fault> {
    let exists = value(call, |cvars, name| cvars.get(name).map(Into::into))?.is_some();
    call.return_float(if exists { EXISTS } else { 0.0 })
}

/// Runs `cvar_set` (#72): creates the variable if it does not exist.
pub(super) fn cvar_set(call: &mut Call<'_>) -> Result<(), Fault> {
    let Call { machine, host, .. } = call;
    let (name, value) = (machine.argument_string(0)?, machine.argument_string(1)?);
    if let Some(cvars) = host.cvars() {
        cvars.set(name, value);
    }
    Ok(())
}

/// Runs `cvar_setf` (#176).
pub(super) fn cvar_setf(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = super::number::shortest(call.float(1));
    let Call { machine, host, .. } = call;
    let name = machine.argument_string(0)?;
    if let Some(cvars) = host.cvars() {
        cvars.set(name, value.as_bytes());
    }
    Ok(())
}

/// Runs `registercvar` (#93): returns 1 if the variable did not exist.
pub(super) fn registercvar(call: &mut Call<'_>) -> Result<(), Fault> {
    let Call { machine, host, .. } = call;
    let (name, value) = (machine.argument_string(0)?, machine.argument_string(1)?);
    let created = host.cvars().is_some_and(|cvars| cvars.create(name, value));
    call.return_float(f32::from(u8::from(created)))
}
