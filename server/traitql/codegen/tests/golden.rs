//! The test is in this crate, because `traitql-golden` does not compile while its generated code is broken.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use traitql_codegen::{Config, Cynic, Derive, FileContext, GeneratedFile};
use traitql_schema::model::{FieldKind, Model};
use traitql_schema::{Options, SourceText};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-codegen --test golden";

fn sources(folder: &str) -> Vec<SourceText> {
    let root = root();
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "graphql"))
        .collect();
    paths.sort();
    let source = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        SourceText::new(format!("{folder}/{name}"), fs::read_to_string(path).unwrap())
    };
    paths.iter().map(source).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("golden-tests")
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn pairs<M: FromIterator<(String, String)>>(pairs: &[(&str, &str)]) -> M {
    pairs
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}

fn model() -> Model {
    let fields = [
        ("Display.best", FieldKind::Data),
        ("Display.voucher", FieldKind::Data),
        ("Display.visitors", FieldKind::Resolved),
    ];
    let fields = fields.map(|(coordinate, kind)| (coordinate.to_owned(), kind));
    let options = Options::default().with_fields(fields.into());
    traitql_schema::load(&sources("schema"), &sources("operations"), &options)
        .unwrap_or_else(|report| panic!("{}", report.render(traitql_schema::Style::Plain)))
}

fn config() -> Config {
    Config {
        scalars: pairs(&[("DateTime", "traitql::DateTime"), ("Money", "crate::shop::Money")]),
        enums: pairs(&[("Condition", "crate::shop::Wear")]),
        objects: pairs(&[("Offer", "crate::shop::OfferRow"), ("Sticker", "crate::shop::Label")]),
        shared: texts(&["Offer", "Single", "Track", "Voucher"]),
        extra: [("Album".to_owned(), pairs(&[("artist_id", "traitql::Id")]))].into(),
        relations: pairs(&[("Album.artist", "artist_id")]),
        derive: Derive {
            enums: texts(&["serde::Deserialize", "serde::Serialize"]),
            types: [
                ("Note", vec!["Eq", "serde::Serialize"]),
                ("Cover", vec!["serde::Serialize"]),
                ("Picture", vec!["serde::Serialize"]),
                ("Color", vec!["serde::Serialize"]),
                ("SearchInput", vec!["serde::Deserialize", "serde::Serialize"]),
                ("ArtistRefInput", vec!["serde::Deserialize", "serde::Serialize"]),
                ("FilterInput", vec!["serde::Deserialize", "serde::Serialize"]),
            ]
            .map(|(name, derived)| (name.to_owned(), texts(&derived)))
            .into(),
            ..Derive::default()
        },
        samples: true,
        typescript: Some("typescript".to_owned()),
        ..Config::new(".", "operations/generated/manifest.json")
    }
}

#[test]
fn the_sample_is_up_to_date() {
    check(&model(), &config());
}

#[test]
fn the_language_sample_is_up_to_date() {
    let names = [("Hue.fooBar", "Chosen"), ("Meeting.profile_picture", "scaled_picture")];
    let options = Options::allowing(["access_missing", "input_suffix", "interface_not_deprecated"]).unwrap();
    let options = options.with_names(pairs(&names)).with_automatic_renaming();
    let model = traitql_schema::load(&sources("language"), &sources("language/operations"), &options)
        .unwrap_or_else(|report| panic!("{}", report.render(traitql_schema::Style::Plain)));
    let config = Config {
        generated: "src/language".to_owned(),
        scalars: pairs(&[("Uuid", "traitql::Json"), ("Anything", "traitql::Json")]),
        ..Config::new(".", "language/generated/manifest.json")
    };
    check(&model, &config);
}

#[test]
fn the_sample_of_a_client_is_up_to_date() {
    let options = Options::lenient();
    let model = traitql_schema::load(&sources("client"), &sources("client/operations"), &options)
        .unwrap_or_else(|report| panic!("{}", report.render(traitql_schema::Style::Plain)));
    let folder = "tests/client/generated";
    let config = Config {
        cynic: Some(Cynic {
            folder: folder.to_owned(),
            schema: "music".to_owned(),
            ..Cynic::default()
        }),
        ..Config::new(".", "client/manifest.json")
    };
    assert_eq!(traitql_codegen::cynic_problems(&model, &config), []);
    let files = traitql_codegen::generate(&model, &config);
    let client = files.into_iter().filter(|file| file.path.starts_with(folder));
    check_files(client.collect(), folder);
}

fn check(model: &Model, config: &Config) {
    check_files(traitql_codegen::generate(model, config), &config.generated);
}

fn check_files(files: Vec<GeneratedFile>, folder: &str) {
    let files: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|file| {
            (
                root().join(file.path),
                file.contents
                    .replace("`cargo traitql generate`", &format!("`{COMMAND}`")),
            )
        })
        .collect();
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        let _ = fs::remove_dir_all(root().join(folder));
        for (path, contents) in &files {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
    }
    for (path, contents) in &files {
        let existing = fs::read_to_string(path).unwrap_or_default();
        assert!(
            existing == *contents,
            "{} is stale, because the generator or the schema has changed. Run {COMMAND}",
            path.display()
        );
    }
}

#[test]
fn the_scaffold_of_the_sample_is_up_to_date() {
    const HEAD: &str = "//! Stubs in the format that `cargo traitql scaffold --into` appends.\n\nuse super::App;\n";
    let path = root().join("tests/scaffolded/appended.rs");
    let (model, config) = (model(), config());
    let resolvers = traitql_codegen::resolvers(&model, &config);
    let coordinates: Vec<String> = resolvers.into_iter().map(|resolver| resolver.coordinate).collect();
    let context = FileContext {
        for_type: "App".to_owned(),
        generated: "traitql_golden".to_owned(),
        imported: ["App"].map(str::to_owned).into(),
        taken: Default::default(),
    };
    let scaffold = traitql_codegen::scaffold(&model, &config, &coordinates, &context);
    let expected = format!("{HEAD}\n{}\n{}", scaffold.uses.concat(), scaffold.text);
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let existing = fs::read_to_string(&path).unwrap_or_default();
    assert!(existing == expected, "{} is stale. Run {COMMAND}", path.display());
}
