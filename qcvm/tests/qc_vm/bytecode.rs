//! Tests of single opcodes, and of files that the loader refuses.

use super::assembler::{Assembler, G, HOST, f};
use skelobj_qcvm::{Fault, Progs, ProgsError, Table};

/// Checks c = op(a, b) for single words.
fn computes(opcode: u32, a: u32, b: u32, wanted: u32) {
    let code = Assembler::new(&[[opcode, G, G + 1, G + 2], [43, G + 2, 0, 0]]).with(G, &[a, b]);
    assert_eq!(code.result()[0], wanted, "opcode {opcode} of {a:#x} and {b:#x}");
}

/// Checks c = op(a, b) for pairs of words.
fn computes_wide(opcode: u32, a: u64, b: u64, wanted: u64) {
    let words = |v: u64| [v as u32, (v >> 32) as u32];
    let code = Assembler::new(&[[opcode, G, G + 2, G + 4], [43, G + 4, 0, 0]]).with(G, &[words(a), words(b)].concat());
    let [low, high, _] = code.result();
    assert_eq!(u64::from(high) << 32 | u64::from(low), wanted, "opcode {opcode} of {a:#x} and {b:#x}");
}

#[test]
fn integer_and_mixed_operations_match_their_opcodes() {
    let minus = |n: i32| -n as u32;
    for (opcode, a, b, wanted) in [
        (116, 5, minus(7), minus(2)),
        (117, f(1.5), 2, f(3.5)),
        (118, 2, f(0.25), f(2.25)),
        (119, 5, 7, minus(2)),
        (120, f(1.5), 2, f(-0.5)),
        (121, 2, f(0.5), f(1.5)),
        (122, minus(3), 0, f(-3.0)),
        (123, f(-3.9), 0, minus(3)),
        (123, f(f32::NAN), 0, 0x8000_0000),
        (123, f(3e9), 0, 0x8000_0000),
        (130, 12, 10, 8),
        (131, 12, 10, 14),
        (132, 0x8000_0001, 2, 2),
        (133, minus(7), 2, minus(3)),
        (133, 7, 0, 0),
        (133, 0x8000_0000, u32::MAX, 0x7fff_ffff),
        (134, 4, 4, 1),
        (135, 4, 4, 0),
        (138, 0, 0, 1),
        (140, 12, 10, 6),
        (141, minus(8), 1, minus(4)),
        (141, minus(8), 33, minus(4)),
        (142, 1, 4, 16),
        (144, 100, 3, 112),
        (161, 3, 3, 1),
        (162, minus(1), 3, 0),
        (163, minus(1), 3, 1),
        (164, minus(1), 3, 0),
        (165, 3, f(3.5), 1),
        (166, 3, f(3.5), 0),
        (167, 3, f(3.5), 1),
        (168, 3, f(3.5), 0),
        (169, f(3.5), 3, 0),
        (170, f(3.5), 3, 1),
        (171, f(3.5), 3, 0),
        (172, f(3.5), 3, 1),
        (173, 3, f(3.0), 1),
        (174, f(3.0), 3, 1),
        (176, 9, 4, 5),
        (179, 3, f(0.5), f(1.5)),
        (180, f(0.5), 3, f(1.5)),
        (183, 3, f(2.0), f(1.5)),
        (184, f(3.0), 0, f(f32::INFINITY)),
        (185, 7, f(3.9), 3),
        (186, 8, f(3.9), 11),
        (187, f(7.9), 3, 3),
        (188, f(8.9), 3, 11),
        (189, 1, 2, 1),
        (190, 0, 0, 0),
        (191, 1, f(-0.0), 0),
        (192, 0, f(0.5), 1),
        (193, f(0.5), 1, 1),
        (194, f(-0.0), 0, 0),
        (195, 3, f(3.0), 0),
        (196, f(3.5), 3, 1),
        (225, u32::MAX, 1, 0),
        (226, 1, u32::MAX, 1),
        (227, u32::MAX, 2, 0x7fff_ffff),
        (227, 1, 0, 0),
        (228, u32::MAX, 28, 15),
        (273, 0xf0, 0x0404, u32::MAX),
        (274, 0xf0, 0x0404, 15),
        (276, u32::MAX, 0, f(4294967295.0)),
        (277, f(3e9), 0, 3_000_000_000),
    ] {
        computes(opcode, a, b, wanted);
    }
    let code = Assembler::new(&[[275, G, G + 1, G + 2], [43, G + 2, 0, 0]]).with(G, &[0b1010, 0x0804, u32::MAX]);
    assert_eq!(code.result()[0], 0xffff_faff);
}

/// `fteqcc -O0` writes `places[i] + places[j]` with a second operand and a result that overlap.
#[test]
fn vectors_are_computed_component_by_component() {
    let floats = |values: &[f32]| values.iter().map(|value| f(*value)).collect::<Vec<u32>>();
    // The vector at G + 4 is the second operand, the result starts one word after it.
    for (opcode, wanted) in [(7, [11.0, 31.0, 131.0]), (9, [9.0, 11.0, 89.0])] {
        let code = Assembler::new(&[[opcode, G, G + 4, G + 5], [43, G + 5, 0, 0]])
            .with(G, &floats(&[10.0, 20.0, 100.0, 0.0, 1.0, 2.0, 3.0]));
        assert_eq!(code.result(), wanted.map(f), "opcode {opcode}");
    }
    // The factor is read before the first component is written; it is the result's second component.
    for (opcode, a, b, wanted) in [
        (3, G + 5, G, [20.0, 40.0, 200.0]),
        (4, G, G + 5, [20.0, 40.0, 200.0]),
        (139, G, G + 5, [5.0, 10.0, 50.0]),
        (4, G + 3, G + 5, [2.0, 4.0, 8.0]),
    ] {
        let code = Assembler::new(&[[opcode, a, b, G + 4], [43, G + 4, 0, 0]])
            .with(G, &floats(&[10.0, 20.0, 100.0, 1.0, 1.0, 2.0, 3.0]));
        assert_eq!(code.result(), wanted.map(f), "opcode {opcode} of {a} and {b}");
    }
    for (opcode, wanted) in [(73, [11.0, 31.0, 131.0]), (77, [9.0, 11.0, 89.0])] {
        let code =
            Assembler::new(&[[opcode, G, G + 1, 0], [43, G + 1, 0, 0]]).with(G, &floats(&[1.0, 10.0, 20.0, 100.0]));
        assert_eq!(code.result(), wanted.map(f), "opcode {opcode}");
    }
}

#[test]
fn wide_operations_match_their_opcodes() {
    let minus = |n: i64| -n as u64;
    let d = f64::to_bits;
    for (opcode, a, b, wanted) in [
        (229, u64::from(u32::MAX), 1, 1 << 32),
        (230, 0, 1, minus(1)),
        (231, 1 << 31, 4, 1 << 33),
        (232, minus(7), 2, minus(3)),
        (232, 7, 0, 0),
        (232, 1 << 63, minus(1), (1 << 63) - 1),
        (233, 12 << 32, 10 << 32, 8 << 32),
        (234, 12 << 32, 10 << 32, 14 << 32),
        (235, 12 << 32, 10 << 32, 6 << 32),
        (236, 3, 40, 3 << 40),
        (237, minus(8), 1, minus(4)),
        (238, minus(1), 0, 1),
        (239, minus(1), 0, 1),
        (240, 1 << 40, 1 << 40, 1),
        (241, 1 << 40, 1 << 40, 0),
        (242, minus(1), 0, 0),
        (243, 0, minus(1), 1),
        (244, minus(1), 1 << 32, u64::from(u32::MAX)),
        (244, 1, 0, 0),
        (245, minus(1), 60, 15),
        (252, minus(1), 0, u64::from(u32::MAX)),
        (253, u64::from(u32::MAX), 0, minus(1)),
        (254, 5 << 32 | 6, 0, 6),
        (255, u64::from(f(1.5)), 0, d(1.5)),
        (256, d(1.5), 0, u64::from(f(1.5))),
        (257, minus(3), 0, u64::from(f(-3.0))),
        (258, u64::from(f(-3.5)), 0, minus(3)),
        (259, minus(3), 0, d(-3.0)),
        (260, d(-3.5), 0, minus(3)),
        (261, d(1.0), d(0.5), d(1.5)),
        (262, d(1.0), d(0.5), d(0.5)),
        (263, d(1.5), d(2.0), d(3.0)),
        (264, d(1.0), d(0.0), d(f64::INFINITY)),
        (265, d(1.0), d(1.0), 1),
        (266, d(1.0), d(1.0), 0),
        (267, d(0.0), d(-0.0), 1),
        (268, d(f64::NAN), d(f64::NAN), 1),
        (278, minus(1), 0, d(18446744073709551615.0)),
        (279, d(1e19), 0, 10_000_000_000_000_000_000),
        (280, 1 << 63, 0, u64::from(f(9223372036854775808.0))),
        (281, u64::from(f(3.9)), 0, 3),
    ] {
        computes_wide(opcode, a, b, wanted);
    }
}

#[test]
fn indexed_pointers_read_and_write_words_of_the_host() {
    // p[3], as newer compilers write it; then p[1] = p[3], *p = p[1].
    let code =
        [[154, G, G + 1, G + 3], [37, G + 3, G, G + 2], [37, G + 3, G, 0], [154, G, 0, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST, 3, 1]).result()[0], 4);
    // p[3] and p[1] through ADD_PIW.
    let code = [[144, G, G + 1, G + 2], [154, G + 2, 0, G + 3], [43, G + 3, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST, 3]).result()[0], 4);
    // A vector, from the second word on.
    let code = [[155, G, G + 1, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST, 2]).result(), [3, 4, 5]);
    let (_, outcome) = Assembler::new(&code).with(G, &[HOST, 3]).run();
    let error = outcome.unwrap_err();
    assert_eq!(error.fault, Fault::BadPointer { address: HOST + 20, write: false });
    assert_eq!((error.location.function.as_str(), error.location.statement), ("main", 1));
}

#[test]
fn bytes_and_halves_are_read_and_written_in_place() {
    let read = |opcode: u32, index: u32| {
        Assembler::new(&[[opcode, G, G + 1, G + 2], [43, G + 2, 0, 0]]).with(G, &[HOST, index]).result()[0]
    };
    assert_eq!(read(224, 2), 3);
    assert_eq!(read(224, 7), 0x87);
    assert_eq!(read(272, 7), 0xffff_ff87);
    assert_eq!(read(271, 3), 0x8765);
    assert_eq!(read(270, 3), 0xffff_8765);
    assert_eq!(read(178, f(5.0)), f(67.0));
    let write = |opcode: u32, index: u32, value: u32| {
        let code = [[opcode, G + 2, G, G + 1], [154, G, 0, G + 3], [43, G + 3, 0, 0]];
        Assembler::new(&code).with(G, &[HOST, index, value]).result()[0]
    };
    assert_eq!(write(223, 1, 0x1ff), 0x0403_ff01);
    assert_eq!(write(269, 1, 0x1_abcd), 0xabcd_0201);
    assert_eq!(write(177, 3, f(9.0)), 0x0903_0201);
    // Strings are bytes, too, but not for writing.
    let code = Assembler::new(&[[224, G, G + 1, G + 2], [43, G + 2, 0, 0]]);
    assert_eq!(code.with(G, &[6, 1]).result()[0], u32::from(b'e'));
    let (_, outcome) = Assembler::new(&[[223, G + 1, G, 0]]).with(G, &[6, 1]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadPointer { address: 6, write: true });
}

#[test]
fn globals_fields_and_the_stack_are_reached_by_index() {
    // &G[2] through GLOBALADDRESS, then a store through it.
    let code = [[143, G, G + 4, G + 5], [37, G + 6, G + 5, 0], [43, G, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 2, 3, 0, 2, 0, 9]).result(), [1, 2, 9]);
    // LOADA, GLOAD and GSTOREP.
    let code = [[145, G, G + 4, G + 5], [43, G + 5, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 2, 3, 0, 2]).result()[0], 3);
    let (_, outcome) = Assembler::new(&code).with(G + 4, &[24]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadIndex { index: 24, last: 23 });
    let code = [[200, G, G + 4, 0], [206, G + 4, 0, G + 5], [43, G + 5, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[7, 0, 0, 0, 50]).result()[0], 7);
    // Stores that convert, to a global and through a pointer.
    let code = [[114, G, G + 1, 0], [115, G + 1, G + 2, 0], [43, G, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[7]).result(), [7, f(7.0), 7]);
    let code = [[128, G, G + 1, 0], [129, G + 2, G + 1, G + 3], [155, G + 1, 0, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[7, HOST, f(-8.9), 1]).result(), [f(7.0), -8i32 as u32, 3]);
    let code = [[125, G, 0, G + 1], [124, G, 0, G + 2], [43, G + 1, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[HOST]).result()[1], f(0x0403_0201 as f32));
    // STOREF and LOAD of a vector, a float and 64 bits, of entity 1.
    let code = [[219, G, G + 1, G + 2], [25, G, G + 1, G + 6], [43, G + 6, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 13, 4, 5, 6]).result(), [4, 5, 6]);
    let (_, outcome) = Assembler::new(&code).with(G, &[1, 14]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadField(14));
    let (_, outcome) = Assembler::new(&code).with(G, &[2, 13]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadEntity(2));
    let code = [[220, G, G + 1, G + 2], [24, G, G + 1, G + 6], [43, G + 6, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 15, 4]).result()[0], 4);
    let code = [[248, G, G + 1, G + 2], [249, G, G + 1, G + 6], [43, G + 6, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[1, 14, 4, 5]).result(), [4, 5, 0]);
    // PUSH gives zeroed words to write to.
    let code = [[213, G, 0, G + 1], [37, G, G + 1, G + 2], [154, G + 1, G + 2, G + 3], [43, G + 3, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[5, 0, 4]).result()[0], 5);
    let (_, outcome) = Assembler::new(&code).with(G, &[5, 0, 5]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadPointer { address: 0x2000_0014, write: true });
    let (_, outcome) = Assembler::new(&code).with(G, &[u32::MAX]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::StackOverflow);
}

#[test]
fn division_of_vectors_random_numbers_and_checks() {
    let code = [[139, G, G + 3, G + 4], [43, G + 4, 0, 0]];
    assert_eq!(Assembler::new(&code).with(G, &[f(1.0), f(2.0), f(-3.0), f(2.0)]).result(), [0.5, 1.0, -1.5].map(f));
    let code = [[94, G, G + 1, G + 2], [43, G + 2, 0, 0]];
    let value = f32::from_bits(Assembler::new(&code).with(G, &[f(5.0), f(6.0)]).result()[0]);
    assert!((5.0..6.0).contains(&value), "{value}");
    let code = [[97, G, G + 3, G + 6], [43, G + 6, 0, 0]];
    let value = Assembler::new(&code).with(G, &[f(1.0), f(2.0), f(3.0), f(2.0), f(3.0), f(4.0)]).result();
    let [x, y, z] = value.map(f32::from_bits);
    assert!((1.0..=2.0).contains(&x) && (2.0..=3.0).contains(&y) && (3.0..=4.0).contains(&z) && x + 1.0 != y);
    assert_eq!(Assembler::new(&[[211, G, 6, 2]]).with(G, &[5]).result(), [0; 3]);
    let (_, outcome) = Assembler::new(&[[211, G, 6, 2]]).with(G, &[6]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::OutOfBounds { value: 6, min: 2, end: 6 });
    let (_, outcome) = Assembler::new(&[[103, G, 1, 0]]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadCase);
    let (_, outcome) = Assembler::new(&[[60, G, G, 0]]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::MissingName("self"));
    // A field that no entity has is not the first of the next one; there are two entities of 16 words.
    for (entity, field, fault) in
        [(0, 16, Fault::BadField(16)), (2, 0, Fault::BadEntity(2)), (1 << 28, 0, Fault::BadEntity(1 << 28))]
    {
        let (_, outcome) = Assembler::new(&[[24, G, G + 1, G + 2]]).with(G, &[entity, field]).run();
        assert_eq!(outcome.unwrap_err().fault, fault);
    }
    let (_, outcome) = Assembler::new(&[[51, G, 0, 0]]).with(G, &[3]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadFunction(3));
    let (_, outcome) = Assembler::new(&[[12, G, G + 1, G + 2]]).with(G, &[0x8000_0007]).run();
    assert_eq!(outcome.unwrap_err().fault, Fault::BadString(0x8000_0007));
    let mut endless = Assembler::new(&[]);
    endless.statements = vec![[31, G, G, 0]; 3];
    assert_eq!(endless.run().1.unwrap_err().fault, Fault::PastLastStatement);
}

#[test]
fn statements_of_32_bits_are_read_too() {
    let mut code =
        Assembler::new(&[[116, G, G + 1, G + 2], [61, 2, 0, 0], [0, 0, 0, 0], [43, G + 2, 0, 0]]).with(G, &[2, 3]);
    code.wide = true;
    assert_eq!(code.result()[0], 5);
}

#[test]
fn the_fault_of_a_file_is_stated_exactly() {
    let refused = |code: &Assembler| Progs::load(&code.bytes()).unwrap_err();
    let main = || "main".to_string();
    for opcode in [85, 86, 204, 212, 214, 282, 0x8001] {
        assert_eq!(
            refused(&Assembler::new(&[[opcode, 0, 0, 0]])),
            ProgsError::Opcode { statement: 1, function: main(), opcode }
        );
    }
    assert_eq!(
        refused(&Assembler::new(&[[1, G, G, 64]])),
        ProgsError::Operand { statement: 1, function: main(), opcode: 1, operand: 64, limit: 64 }
    );
    assert_eq!(
        refused(&Assembler::new(&[[80, 0, G, G]])),
        ProgsError::Operand { statement: 1, function: main(), opcode: 80, operand: u32::MAX, limit: 64 }
    );
    assert_eq!(
        refused(&Assembler::new(&[[61, 2, 0, 0]])),
        ProgsError::Jump { statement: 1, function: main(), target: 3, limit: 3 }
    );
    assert_eq!(
        refused(&Assembler::new(&[[49, G, 0xfffe, 0]])),
        ProgsError::Jump { statement: 1, function: main(), target: -1, limit: 3 }
    );
    let patched = |at: usize, word: u32| {
        let mut bytes = Assembler::new(&[]).bytes();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        Progs::load(&bytes).unwrap_err()
    };
    assert_eq!(patched(0, 3), ProgsError::Version { version: 3, secondary: 0 });
    assert_eq!(patched(88, 1), ProgsError::Version { version: 7, secondary: 1 });
    assert_eq!(patched(84, 32), ProgsError::Compressed { blocks: 32 });
    let length = Assembler::new(&[]).bytes().len();
    assert_eq!(
        patched(12, u32::MAX),
        ProgsError::TableRange { table: Table::Statements, offset: 92, count: u32::MAX, length }
    );
    assert_eq!(
        patched(52, 27),
        ProgsError::TableSize { table: Table::Globals, count: 27, min: 28, max: (1 << 20) - 16 }
    );
    let functions = 92 + 2 * 8 + 36;
    assert_eq!(patched(functions, 2), ProgsError::FunctionEntry { function: 1, statement: 2, limit: 2 });
    assert_eq!(patched(functions + 4, 65), ProgsError::Locals { function: 1, start: 65, words: 0, limit: 64 });
    assert_eq!(
        patched(functions + 16, 11),
        ProgsError::StringOffset { table: Table::Functions, index: 1, offset: 11, pool: 11 }
    );
    let error = Progs::load(b"short").unwrap_err();
    assert_eq!(error, ProgsError::ShortHeader { length: 5, header: 60 });
    assert_eq!(error.to_string(), "5 bytes are too few for a progs header of 60 bytes");
    let one = Progs::load(b"s").unwrap_err().to_string();
    assert_eq!(one, "1 byte is too few for a progs header of 60 bytes");
    let other = Progs::load(&[b"INTERQUAKEMODEL\0".as_slice(), &[0; 60]].concat()).unwrap_err().to_string();
    assert_eq!(other, "not compiled QuakeC: it begins with \"INTE\", expected version 6 or FTE's 7");
}

#[test]
fn locals_that_a_compiler_counted_beyond_the_globals_are_left_out() {
    let bytes = Assembler::new(&[]).with_inner(1).with_locals(70).bytes();
    assert_eq!(Progs::load(&bytes).err(), None);
}

#[test]
fn game_code_of_hexen_2_is_refused_by_name() {
    let mut bytes = include_bytes!("../qc/core.dat").to_vec();
    assert!(Progs::load(&bytes).is_ok());
    for crc in [38488u32, 26905, 14046] {
        bytes[4..8].copy_from_slice(&crc.to_le_bytes());
        let error = Progs::load(&bytes).unwrap_err();
        assert_eq!(error, ProgsError::HexenII { crc });
        assert!(error.to_string().contains("Hexen II"), "{error}");
    }
}
