use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use apollo_compiler::ast::{self, Definition};
use traitql::{Document, Documents};

use crate::{
    Seed, Tally,
    bench::Bench,
    circumstances, definitions,
    minimize::{Case, Used},
    report, without_panic_messages,
};

/// Per document.
const WORLDS: u64 = 60;
const WORLDS_OF_PUBLISHED: u64 = 8;

#[test]
fn documents_of_clients_have_equal_responses() {
    let mut compared = 0;
    without_panic_messages(|| {
        let published = published();
        // The run without published documents compares the others.
        let (given, worlds) = if published.is_empty() {
            (generated(), WORLDS)
        } else {
            (published, WORLDS_OF_PUBLISHED)
        };
        for (name, sdl, documents) in given {
            let mut bench = Bench::new(sdl);
            // The names of the root types are constants of [`Dynamic`].
            if !bench.facts.has_default_roots() {
                continue;
            }
            let documents = documents(&bench);
            let tally = compare(&mut bench, &documents, worlds);
            println!("{name}: {tally:?}");
            assert!(
                tally.with_errors > 0 && tally.with_errors < tally.combinations,
                "{name}: {tally:?}"
            );
            compared += tally.combinations;
        }
    });
    assert!(compared > 1_000, "only {compared} combinations were compared");
}

type Given = (String, String, Fitting);
type Fitting = Box<dyn Fn(&Bench) -> Vec<Arc<Document>>>;

fn generated() -> Vec<Given> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let groups = folders(&root.join("server"));
    let groups = groups.into_iter().chain([root.join("server/traitql/examples")]);
    let crates: Vec<PathBuf> = groups.flat_map(|group| folders(&group)).collect();
    let schemas = crates.iter().flat_map(|package| folders(&package.join("src")));
    let schemas = schemas
        .map(|folder| folder.join("schema.graphql"))
        .filter(|path| path.exists());
    let manifests = crates.iter().flat_map(|package| folders(package)).chain(folders(&root));
    let manifests = manifests
        .map(|folder| folder.join("generated/manifest.json"))
        .filter(|path| path.exists());
    let manifests: Vec<Documents> = manifests
        .map(|path| Documents::from_manifest(&fs::read_to_string(path).unwrap()).unwrap())
        .collect();
    schemas
        .map(|path| {
            let manifests = manifests.clone();
            let fitting = move |bench: &Bench| {
                let fits =
                    |documents: &&Documents| documents.iter().all(|document| bench.check(&document.text).is_ok());
                manifests
                    .iter()
                    .filter(fits)
                    .flat_map(Documents::iter)
                    .cloned()
                    .collect()
            };
            let documents: Fitting = Box::new(fitting);
            (
                path.display().to_string(),
                fs::read_to_string(&path).unwrap(),
                documents,
            )
        })
        .collect()
}

fn published() -> Vec<Given> {
    let Ok(folder) = env::var("TRAITQL_DIFFERENTIAL_DOCUMENTS") else {
        return Vec::new();
    };
    let found = folders(Path::new(&folder)).into_iter().filter_map(|folder| {
        let operations = texts(&folder.join("operations"));
        if operations.is_empty() {
            return None;
        }
        let sdl = texts(&folder).join("\n");
        let with_fragments = with_fragments(&operations);
        let documents = move |bench: &Bench| with_fragments.iter().map(|text| bench.check(text).unwrap()).collect();
        let documents: Fitting = Box::new(documents);
        Some((folder.display().to_string(), sdl, documents))
    });
    let found: Vec<Given> = found.collect();
    assert!(
        !found.is_empty(),
        "{folder} contains no folder with a schema and operations"
    );
    found
}

fn compare(bench: &mut Bench, documents: &[Arc<Document>], worlds: u64) -> Tally {
    let mut tally = Tally::default();
    bench.plan(documents);
    for (number, document) in documents.iter().enumerate() {
        let definitions = definitions(&document.text);
        for world in 0..worlds {
            let seed = Seed {
                schema: 0,
                document: number as u64,
                world,
            };
            let (variables, world) = circumstances(bench, &definitions, seed);
            match bench.compare(document, &variables, &world) {
                Ok(seen) => tally.count(seen),
                Err(_) => panic!(
                    "{}",
                    report(
                        bench,
                        Case {
                            text: document.text.clone(),
                            variables,
                            world
                        }
                    )
                ),
            }
        }
    }
    tally
}

fn with_fragments(texts: &[String]) -> Vec<String> {
    let parsed: Vec<ast::Document> = texts
        .iter()
        .map(|text| ast::Document::parse(text, "file").unwrap())
        .collect();
    let definitions: Vec<&Definition> = parsed.iter().flat_map(|document| &document.definitions).collect();
    let fragments: BTreeMap<&str, &Definition> = definitions
        .iter()
        .filter_map(|definition| Some((definition.as_fragment_definition()?.name.as_str(), *definition)))
        .collect();
    let operations = definitions
        .iter()
        .filter(|definition| definition.as_operation_definition().is_some());
    operations
        .map(|operation| {
            let (mut used, mut known) = (Used::default(), 0);
            used.definition(operation);
            while known < used.fragments.len() {
                known = used.fragments.len();
                for name in used.fragments.clone() {
                    used.definition(fragments[name.as_str()]);
                }
            }
            let fragments = used.fragments.iter().map(|name| fragments[name.as_str()].to_string());
            [operation.to_string()]
                .into_iter()
                .chain(fragments)
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect()
}

fn folders(within: &Path) -> Vec<PathBuf> {
    let mut paths = entries(within);
    paths.retain(|path| path.is_dir());
    paths
}

fn texts(folder: &Path) -> Vec<String> {
    let paths = entries(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|it| it == "graphql"));
    paths.map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
