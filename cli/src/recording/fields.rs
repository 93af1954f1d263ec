//! Fields of a recording's header.

use serde_json::Value;
use skelobj::math::Vec3;

/// Object of the header. A field of another type is an error, not absent.
pub struct Fields<'a>(pub &'a Value);

impl Fields<'_> {
    /// Returns a number that is finite as f32.
    pub fn number(&self, name: &str) -> Result<f32, String> {
        number(&self.0[name]).ok_or_else(|| wrong("number", name))
    }

    /// Returns a number, or `None` for null.
    pub fn number_or_null(&self, name: &str) -> Result<Option<f32>, String> {
        self.or_null(name, |fields| fields.number(name))
    }

    /// Returns a whole number.
    pub fn count(&self, name: &str) -> Result<usize, String> {
        let count = self.0[name].as_u64().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| wrong("whole number", name))
    }

    /// Returns a whole number, or `None` for null.
    pub fn count_or_null(&self, name: &str) -> Result<Option<usize>, String> {
        self.or_null(name, |fields| fields.count(name))
    }

    /// Returns three numbers.
    pub fn vector(&self, name: &str) -> Result<Vec3, String> {
        let parts: Option<Vec<f32>> = self.0[name].as_array().and_then(|parts| parts.iter().map(number).collect());
        let parts: Option<[f32; 3]> = parts.and_then(|parts| parts.try_into().ok());
        parts.map(Vec3::from_array).ok_or_else(|| wrong("vector", name))
    }

    /// Returns the fields of an object within.
    pub fn object(&self, name: &str) -> Result<Self, String> {
        Some(&self.0[name]).filter(|value| value.is_object()).map(Fields).ok_or_else(|| wrong("object", name))
    }

    fn or_null<T>(&self, name: &str, read: impl Fn(&Self) -> Result<T, String>) -> Result<Option<T>, String> {
        // A field that is absent was not written by this command.
        if self.0.get(name).is_some_and(Value::is_null) { Ok(None) } else { read(self).map(Some) }
    }
}

fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32).filter(|number| number.is_finite())
}

fn wrong(kind: &str, name: &str) -> String {
    format!("its header has no {kind} `{name}`")
}
