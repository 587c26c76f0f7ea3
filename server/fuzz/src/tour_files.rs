/// Reads the input as the file of a tour. A file that was written can be read again, with the same result.
pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(written) = waypost_cli::format_tour_file(text) {
        assert_eq!(
            waypost_cli::format_tour_file(&written).as_ref(),
            Ok(&written),
            "written:\n{written}"
        );
    }
}
