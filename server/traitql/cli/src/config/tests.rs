use super::*;

const GOOD: &str = "schema: schema/*.graphql\ndocuments: [a/*.graphql, b/*.graphql: { loader: ./x.mjs }]\nconfig: { scalars: {} }\n\
    traitql:\n  crate: api/\n  manifest: manifest.json\n  scalars:\n    Url: traitql::Url\n";

fn problems(text: &str) -> Vec<String> {
    let problems = parse(text, Path::new(".")).expect_err("the text is invalid");
    problems.lines("codegen.yml")
}

#[test]
fn keys_of_other_tools_are_ignored() {
    let settings = parse(GOOD, Path::new(".")).expect("the text is valid");
    assert_eq!(settings.documents.shown(), "a/*.graphql, b/*.graphql");
    assert_eq!(settings.codegen.crate_dir, "api");
    assert_eq!(settings.generated_folder(), "api/src/generated");
    assert!(
        settings.typescript.is_empty(),
        "without `generates`, graphql-codegen has nothing to generate"
    );
    let both = parse(&format!("generates: {{}}\n{GOOD}"), Path::new(".")).expect("the text is valid");
    assert_eq!(both.typescript[0], "graphql-codegen");
}

#[test]
fn conventions_are_disabled_by_name() {
    let settings = parse(&format!("{GOOD}  allow: [input_suffix]\n"), Path::new(".")).expect("the text is valid");
    let allowed: Vec<&str> = settings.options.allowed().map(|code| code.slug).collect();
    assert_eq!(allowed, ["input_suffix"]);
    assert_eq!(
        problems(&format!("{GOOD}  allow:\n    - N004\n    - inputsuffix\n")),
        [
            "codegen.yml:11:7: `traitql.allow`: `inputsuffix` cannot be allowed: it is not a convention; did you mean `input_suffix`?"
        ]
    );
}

#[test]
fn a_misspelled_key_is_reported_with_its_position_and_a_suggestion() {
    let text = GOOD.replace("  scalars:\n", "  scalers:\n");
    assert_eq!(
        problems(&text),
        ["codegen.yml:7:3: `traitql` has no key `scalers`; did you mean `scalars`?"]
    );
}

#[test]
fn all_errors_are_reported_in_the_order_of_the_file() {
    let text = "schema: 3\ndocuments: x\ntraitql:\n  crate: 1\n  extra: []\n  scalars:\n    Url: Option<\n    Date: 3\n  quite: other\n";
    assert_eq!(
        problems(text),
        [
            "codegen.yml:1:9: `schema` must be a file pattern or a list of file patterns",
            "codegen.yml:3:1: `traitql.manifest` is missing: path of the manifest, which lists the trusted documents",
            "codegen.yml:4:10: `traitql.crate` must be a path, but it is a number",
            "codegen.yml:5:10: `traitql.extra` must be a section of object types, each with a section of fields, each with a Rust type, but it is a list",
            "codegen.yml:8:11: `traitql.scalars.Date` must be a Rust type, but it is a number",
            "codegen.yml:9:3: `traitql` has no key `quite`; the known keys are `crate`, `generated`, `manifest`, `allow`, `scalars`, `enums`, `objects`, `shared`, `extra`, `relations`, `fields`, `rename`, `derive`, `samples`, `typescript`, `cynic`",
        ]
    );
    assert_eq!(
        problems("schema: x\ndocuments: z\ntraitQL: {}\n"),
        ["codegen.yml: the section `traitql` is missing: did you mean `traitQL`?"]
    );
}

#[test]
fn the_example_of_each_key_is_valid() {
    for key in table::KEYS {
        let example: String = key.example.lines().map(|line| format!("  {line}\n")).collect();
        let others = [("crate", "  crate: api\n"), ("manifest", "  manifest: manifest.json\n")];
        let others = others.iter().filter(|(name, _)| *name != key.name);
        let others: String = others.map(|(_, text)| *text).collect();
        let text = format!("schema: a\ndocuments: b\ntraitql:\n{others}{example}");
        if let Err(problems) = parse(&text, Path::new(".")) {
            panic!("{text}{:?}", problems.lines("codegen.yml"));
        }
    }
}

#[test]
fn a_path_must_be_within_the_folder_of_the_configuration() {
    let text = GOOD.replace("crate: api/", "crate: ../api");
    assert_eq!(
        problems(&text),
        ["codegen.yml:5:10: `traitql.crate` must be a path within the folder of codegen.yml, not `../api`"]
    );
}
