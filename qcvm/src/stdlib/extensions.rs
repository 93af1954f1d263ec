//! Extensions of QuakeC that the standard library provides.

use super::lookup;

/// Extension by its name for `checkextension`, with the builtins that belong to it.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::{EXTENSIONS, lookup};
///
/// let sprintf = EXTENSIONS.iter().find(|extension| extension.name == "DP_QC_SPRINTF").ok_or("no sprintf")?;
/// assert!(sprintf.builtins.iter().all(|name| lookup(0, name.as_bytes()).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension {
    /// Name of the extension.
    pub name: &'static str,
    /// Names of its builtins.
    pub builtins: &'static [&'static str],
}

impl Extension {
    /// Returns `true` if this is the extension's name, compared case-insensitively, and the standard library has all
    /// builtins of the extension.
    pub(super) fn is_named(&self, name: &[u8]) -> bool {
        self.name.as_bytes().eq_ignore_ascii_case(name)
            && self.builtins.iter().all(|builtin| lookup(0, builtin.as_bytes()).is_some())
    }
}

const fn extension(name: &'static str, builtins: &'static [&'static str]) -> Extension {
    Extension { name, builtins }
}

/// Extensions that the standard library provides completely.
pub const EXTENSIONS: &[Extension] = &[
    extension("DP_QC_ASINACOSATANATAN2TAN", &["asin", "acos", "atan", "atan2", "tan"]),
    extension("DP_QC_CRC16", &["crc16"]),
    extension("DP_QC_CVAR_DEFSTRING", &["cvar_defstring"]),
    extension("DP_QC_CVAR_STRING", &["cvar_string"]),
    extension("DP_QC_EDICT_NUM", &["edict_num"]),
    extension("DP_QC_ETOS", &["etos"]),
    extension("DP_QC_FINDFLOAT", &["findfloat"]),
    extension("DP_QC_FS_SEARCH", &["search_begin", "search_end", "search_getsize", "search_getfilename"]),
    extension("DP_QC_GETTIME", &["gettime"]),
    extension("DP_QC_MINMAXBOUND", &["min", "max", "bound"]),
    extension("DP_QC_NUM_FOR_EDICT", &["num_for_edict"]),
    extension("DP_QC_RANDOMVEC", &["randomvec"]),
    extension("DP_QC_SINCOSSQRTPOW", &["sin", "cos", "sqrt", "pow"]),
    extension("DP_QC_SPRINTF", &["sprintf"]),
    extension(
        "DP_QC_STRINGBUFFERS",
        &[
            "buf_create",
            "buf_del",
            "buf_getsize",
            "buf_copy",
            "buf_sort",
            "buf_implode",
            "bufstr_get",
            "bufstr_set",
            "bufstr_add",
            "bufstr_free",
        ],
    ),
    extension("DP_QC_STRREPLACE", &["strreplace", "strireplace"]),
    extension("DP_QC_STRING_CASE_FUNCTIONS", &["strtolower", "strtoupper"]),
    extension("DP_QC_TOKENIZEBYSEPARATOR", &["tokenizebyseparator"]),
    extension("DP_QC_TOKENIZE_CONSOLE", &["tokenize_console", "argv_start_index", "argv_end_index"]),
    extension("DP_QC_VECTOANGLES_WITH_ROLL", &["vectoangles"]),
    extension("DP_QC_WHICHPACK", &["whichpack"]),
    extension("DP_REGISTERCVAR", &["registercvar"]),
    extension(
        "FRIK_FILE",
        &["stof", "fopen", "fclose", "fgets", "fputs", "strlen", "strcat", "substring", "stov", "strzone", "strunzone"],
    ),
    extension("FTE_MEMALLOC", &["memalloc", "memfree", "memcpy", "memfill8"]),
    extension(
        "FTE_QC_HASHTABLES",
        &["hash_createtab", "hash_destroytab", "hash_add", "hash_get", "hash_delete", "hash_getkey"],
    ),
    extension("FTE_QC_INTCONV", &["stoi", "itos", "stoh", "htos", "itof", "ftoi"]),
    extension(
        "FTE_STRINGS",
        &[
            "stof",
            "strlen",
            "strcat",
            "substring",
            "stov",
            "strzone",
            "strunzone",
            "strstrofs",
            "str2chr",
            "chr2str",
            "strconv",
            "infoadd",
            "infoget",
            "strncmp",
            "strcasecmp",
            "strncasecmp",
            "strpad",
        ],
    ),
];
