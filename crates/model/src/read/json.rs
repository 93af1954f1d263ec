//! JSON of side files.
//!
//! Comments and a trailing comma are accepted, because hand-written files have them.

/// JSON value.
pub(super) enum Json {
    /// `null`, `true` or `false`.
    Word(&'static str),
    Number(f64),
    Text(Vec<u8>),
    List(Vec<Json>),
    Object(Vec<(Vec<u8>, Json)>),
}

impl Json {
    /// Parses a text; returns `None` unless the whole text is one value.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut parser = Parser { rest: text };
        let value = parser.value(0)?;
        parser.space();
        parser.rest.is_empty().then_some(value)
    }

    /// Returns a member of an object; of two members with the same key the first.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(name, _)| name == key.as_bytes()).map(|(_, value)| value)
    }

    /// Returns a member that is a number; `true` is read as 1 and `false` as 0.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.get(key)?.as_number()
    }

    /// Returns the value as a number.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word("true") => Some(1.0),
            Self::Word("false") => Some(0.0),
            _ => None,
        }
    }

    /// Returns a member that is text.
    pub fn text(&self, key: &str) -> Option<&[u8]> {
        let Self::Text(text) = self.get(key)? else { return None };
        Some(text)
    }

    /// Returns the elements of a member that is a list.
    pub fn list(&self, key: &str) -> Option<&[Self]> {
        let Self::List(list) = self.get(key)? else { return None };
        Some(list)
    }
}

struct Parser<'a> {
    rest: &'a [u8],
}

impl Parser<'_> {
    /// Maximum nesting depth of lists and objects.
    const DEPTH: usize = 32;

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.space();
        if depth > Self::DEPTH {
            return None;
        }
        if self.skip(b"{") {
            let mut members = Vec::new();
            self.elements(b"}", |parser| {
                let key = if parser.skip(b"\"") { parser.string()? } else { return None };
                parser.space();
                if !parser.skip(b":") {
                    return None;
                }
                members.push((key, parser.value(depth + 1)?));
                Some(())
            })?;
            return Some(Json::Object(members));
        }
        if self.skip(b"[") {
            let mut list = Vec::new();
            self.elements(b"]", |parser| {
                list.push(parser.value(depth + 1)?);
                Some(())
            })?;
            return Some(Json::List(list));
        }
        if self.skip(b"\"") {
            return self.string().map(Json::Text);
        }
        for word in ["null", "true", "false"] {
            if self.skip(word.as_bytes()) {
                return Some(Json::Word(word));
            }
        }
        let length = self.rest.iter().position(|b| !b"+-.0123456789eE".contains(b)).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse().ok().map(Json::Number)
    }

    /// Parses elements separated by commas, up to the closing bracket.
    fn elements(&mut self, close: &[u8], mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        loop {
            self.space();
            if self.skip(close) {
                return Some(());
            }
            element(self)?;
            self.space();
            if !self.skip(b",") {
                return self.skip(close).then_some(());
            }
        }
    }

    /// Parses the rest of a string after its opening quote.
    fn string(&mut self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            match byte {
                b'"' => return Some(text),
                b'\\' => self.escape(&mut text)?,
                byte => text.push(byte),
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        match byte {
            b'n' => text.push(b'\n'),
            b't' => text.push(b'\t'),
            b'r' => text.push(b'\r'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'u' => {
                let (digits, rest) = self.rest.split_at_checked(4)?;
                self.rest = rest;
                let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
                let letter = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            byte => text.push(byte),
        }
        Some(())
    }

    fn skip(&mut self, token: &[u8]) -> bool {
        self.rest.strip_prefix(token).map(|rest| self.rest = rest).is_some()
    }

    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_ascii_start();
            if !self.rest.starts_with(b"//") {
                return;
            }
            let end = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
            self.rest = self.rest.get(end..).unwrap_or_default();
        }
    }
}
