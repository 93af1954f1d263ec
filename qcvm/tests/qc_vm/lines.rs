//! Tests of line numbers and of the call stack of an error.

use super::*;
use skelobj_qcvm::{LinesError, Table};

/// Returns the file of line numbers of a progs: statement N is on line N + `first`.
fn lno(progs: &[u8], first: u32) -> Vec<u8> {
    let count = |offset: usize| u32::from_le_bytes(progs[offset..offset + 4].try_into().unwrap());
    let mut file = b"LNOF".to_vec();
    let lines = first..first + count(12);
    for word in [1, count(20), count(52), count(28), count(12)].into_iter().chain(lines) {
        file.extend(word.to_le_bytes());
    }
    file
}

/// Returns the error of a function that fails, with line numbers from 1000.
fn fault_with_lines(bytes: &[u8], function: &str) -> RunError {
    let mut progs = Progs::load(bytes).unwrap();
    progs.load_lines(&lno(bytes, 1000)).unwrap();
    let mut vm = Machine::new(Arc::new(progs));
    run_on(&mut vm, &mut Recorder::default(), function).unwrap_err()
}

#[test]
fn an_error_names_the_line_of_every_running_function() {
    for bytes in [CORE, CORE_FTE] {
        let error = fault_with_lines(bytes, "failing");
        let stack = error.call_stack();
        let functions: Vec<&str> = stack.iter().map(|at| at.function.as_str()).collect();
        assert_eq!(functions, ["failing_inner", "failing"]);
        for at in stack {
            assert_eq!(at.line, Some(at.statement + 1000));
        }
        assert_eq!(error.to_string(), format!("core.qc:{}: failing_inner: given up", error.location.line.unwrap()));
        let [caller] = &*error.callers else { panic!("{:?}", error.callers) };
        assert!(caller.to_string().starts_with("core.qc:"), "{caller}");
        assert_eq!(fault_of(bytes, "failing").call_stack()[1].line, None);
    }
}

#[test]
fn the_call_stack_of_a_deep_recursion_has_every_call() {
    let error = fault_with_lines(CORE, "recurse_for_ever");
    assert_eq!(error.fault, Fault::TooDeep);
    assert_eq!(error.call_stack().len(), Limits::default().depth);
    let call = error.location.statement;
    assert!(error.callers.iter().all(|at| at.statement == call && at.function == "recurse_for_ever"));
}

#[test]
fn damaged_or_foreign_line_numbers_are_refused_and_change_nothing() {
    let mut progs = Progs::load(CORE).unwrap();
    let whole = lno(CORE, 1);
    progs.load_lines(&whole).unwrap();
    assert_eq!(progs.line(7), Some(8));
    for length in 0..whole.len() {
        assert!(progs.load_lines(&whole[..length]).is_err(), "{length} bytes");
    }
    let mut longer = whole.clone();
    longer.push(0);
    let expected = whole.len();
    assert_eq!(progs.load_lines(&longer), Err(LinesError::Length { found: expected + 1, expected }));
    let old = lno(FTE, 1);
    assert!(matches!(progs.load_lines(&old), Err(LinesError::OtherProgs { .. })));
    for (offset, table) in
        [(8, Table::GlobalDefs), (12, Table::Globals), (16, Table::FieldDefs), (20, Table::Statements)]
    {
        let mut changed = whole.clone();
        changed[offset] ^= 1;
        let error = progs.load_lines(&changed).unwrap_err();
        assert!(matches!(error, LinesError::OtherProgs { table: found, .. } if found == table), "{error}");
    }
    assert_eq!(progs.line(7), Some(8), "the lines of the good file stay");
    assert_eq!(progs.line(u32::MAX), None);
}

#[test]
fn the_columns_of_gmqcc_after_the_lines_are_passed_over() {
    let mut progs = Progs::load(CORE).unwrap();
    let mut file = lno(CORE, 1);
    let lines = file.len() - 24;
    file.extend(vec![9; lines]);
    progs.load_lines(&file).unwrap();
    assert_eq!(progs.line(7), Some(8));
    file.truncate(file.len() - 4);
    assert!(progs.load_lines(&file).is_err(), "columns of some statements");
    assert_eq!(progs.line(7), Some(8));
}

#[test]
fn malformed_lines_are_reported_as_unknown() {
    let mut progs = Progs::load(CORE).unwrap();
    let mut file = lno(CORE, 0);
    let at = 24 + 4 * 5;
    file[at..at + 4].copy_from_slice(&(-3i32).to_le_bytes());
    progs.load_lines(&file).unwrap();
    assert_eq!((progs.line(0), progs.line(4), progs.line(5)), (None, Some(4), None));
}
