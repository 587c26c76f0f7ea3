//! The format is that of the editor (`client/src/features/tour/translation-file.ts`).

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    fs,
    path::PathBuf,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use waypost_api::{BranchInput, StepInput};

use super::{
    file::{self, TourFile},
    normalize::InputTypes,
};
use crate::{
    arguments::{Translations, TranslationsArgs},
    commands::{Exit, Problem, report},
};

const FORMAT: &str = "waypost-translations-1";
const BRANCH_LABEL: &str = "BRANCH_LABEL";

/// The texts of a step: field of the file, and name in the schema.
const FIELDS: [(&str, &str); 5] = [
    ("title", "TITLE"),
    ("body", "BODY"),
    ("nextLabel", "NEXT_LABEL"),
    ("previousLabel", "PREVIOUS_LABEL"),
    ("doneLabel", "DONE_LABEL"),
];

#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    tour: String,
    from: String,
    to: String,
    texts: Vec<Text>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Text {
    step: String,
    field: String,
    original: String,
    translation: String,
}

impl Text {
    /// A branch label is identified by its original, other texts by their field.
    fn id(&self) -> (&str, &str, &str) {
        let original = if self.field == BRANCH_LABEL { &self.original } else { "" };
        (&self.step, &self.field, original)
    }

    fn name(&self) -> String {
        format!("{} of step `{}`", self.field, self.step)
    }
}

pub(crate) fn translations(command: Translations) -> Exit {
    report(match command {
        Translations::Export(arguments) => export(&arguments),
        Translations::Import(arguments) => import(&arguments),
    })
}

fn export(arguments: &TranslationsArgs) -> Result<String, Problem> {
    let mut text = String::new();
    for (slug, tour) in files(arguments)? {
        let path = path(arguments, &slug);
        let document = Document {
            format: FORMAT.to_owned(),
            from: tour.content.locales.first().cloned().unwrap_or_default(),
            to: arguments.locale.clone(),
            texts: texts(&tour.content.steps, &arguments.locale),
            tour: slug,
        };
        let json = serde_json::to_string_pretty(&document)
            .map_err(|error| Problem::Local(format!("{} could not be written: {error}.", path.display())))?;
        fs::write(&path, json + "\n")
            .map_err(|error| Problem::Local(format!("{} could not be written: {error}.", path.display())))?;
        let _ = writeln!(text, "{}: written", path.display());
    }
    Ok(text)
}

fn import(arguments: &TranslationsArgs) -> Result<String, Problem> {
    let (mut changed, mut problems) = (Vec::new(), Vec::new());
    for (slug, mut tour) in files(arguments)? {
        let path = path(arguments, &slug);
        let read = fs::read_to_string(&path).map_err(|error| vec![format!("{error}; export it first")]);
        match read.and_then(|json| apply(&mut tour.content.steps, &slug, &arguments.locale, &json)) {
            Ok(count) => changed.push((slug, tour, count)),
            Err(found) => problems.extend(found.iter().map(|problem| format!("{}: {problem}.", path.display()))),
        }
    }
    if !problems.is_empty() {
        return Err(Problem::Usage(problems.join("\n")));
    }
    // The imported files refer to it.
    file::write_schema(&arguments.dir, &InputTypes::new()).map_err(Problem::Local)?;
    let mut text = String::new();
    for (slug, tour, count) in changed {
        let path = file::path(&arguments.dir, &slug);
        file::write_pulled(&path, &tour.content, tour.pulled.as_ref()).map_err(Problem::Local)?;
        let _ = writeln!(text, "{}: {count} texts imported", path.display());
    }
    Ok(text)
}

fn files(arguments: &TranslationsArgs) -> Result<Vec<(String, TourFile)>, Problem> {
    let (folder, locale) = (&arguments.dir, &arguments.locale);
    let inputs = InputTypes::new();
    let has_locale = |tour: &TourFile| tour.content.locales.iter().skip(1).any(|each| each == locale);
    let slugs = match &arguments.tours[..] {
        [] => file::slugs(folder).map_err(Problem::Usage)?,
        named => named.to_vec(),
    };
    let mut files = Vec::new();
    for slug in slugs {
        let path = file::path(folder, &slug);
        let tour = file::read(folder, &slug, &inputs).map_err(Problem::Usage)?;
        let tour = tour.ok_or_else(|| Problem::Usage(format!("The file {} does not exist.", path.display())))?;
        if has_locale(&tour) {
            files.push((slug, tour));
        } else if arguments.tours.contains(&slug) {
            let problem = format!("{}: add the language `{locale}` to `locales`.", path.display());
            return Err(Problem::Usage(problem));
        }
    }
    if files.is_empty() {
        let problem = format!(
            "No file in {} has the language `{locale}` in `locales`.",
            folder.display()
        );
        return Err(Problem::Usage(problem));
    }
    Ok(files)
}

fn path(arguments: &TranslationsArgs, slug: &str) -> PathBuf {
    arguments.dir.join(format!("{slug}.{}.json", arguments.locale))
}

fn texts(steps: &[Value], locale: &str) -> Vec<Text> {
    steps.iter().flat_map(|step| texts_of(step, locale)).collect()
}

fn texts_of(step: &Value, locale: &str) -> Vec<Text> {
    if step["kind"] == "WAIT" {
        return Vec::new();
    }
    let fields = FIELDS.iter().map(|(name, field)| (*field, step[name].as_str()));
    let branches = step["branches"].as_array().into_iter().flatten();
    let labels = branches.map(|branch| (BRANCH_LABEL, branch["label"].as_str()));
    let mut seen = HashSet::new();
    let originals = fields.chain(labels).filter_map(|(field, text)| Some((field, text?)));
    let originals =
        originals.filter(|(field, text)| !text.trim().is_empty() && (*field != BRANCH_LABEL || seen.insert(*text)));
    originals
        .map(|(field, original)| {
            let mut translations = step["translations"].as_array().into_iter().flatten();
            let found = translations.find(|each| is_of(each, locale, field, original));
            Text {
                step: step["key"].as_str().unwrap_or_default().to_owned(),
                field: field.to_owned(),
                original: original.to_owned(),
                translation: found
                    .and_then(|each| each["text"].as_str())
                    .unwrap_or_default()
                    .to_owned(),
            }
        })
        .collect()
}

fn is_of(translation: &Value, locale: &str, field: &str, original: &str) -> bool {
    translation["locale"] == locale
        && translation["field"] == field
        && (field != BRANCH_LABEL || translation["source"] == original)
}

/// Checks a translation with the constraints that the schema declares for its original. An empty one is not imported.
fn violation(field: &str, translation: &str) -> Option<String> {
    if translation.is_empty() {
        return None;
    }
    let mut violations = match FIELDS.iter().find(|(_, each)| *each == field) {
        Some((name, _)) => {
            let mut step = json!({ "key": "key", "title": "Title" });
            step[*name] = json!(translation);
            file::violations::<StepInput>(&step)
        }
        None => file::violations::<BranchInput>(&json!({ "label": translation })),
    };
    (!violations.is_empty()).then(|| violations.swap_remove(0).problem.to_string())
}

/// Applies a translator's file and returns the number of translations. If there are problems, fails with all of them
/// and changes nothing.
fn apply(steps: &mut [Value], slug: &str, locale: &str, json: &str) -> Result<usize, Vec<String>> {
    let document: Document = serde_json::from_str(json).map_err(|error| vec![error.to_string()])?;
    for (name, found, expected) in [
        ("format", &document.format, FORMAT),
        ("tour", &document.tour, slug),
        ("to", &document.to, locale),
    ] {
        if found != expected {
            return Err(vec![format!("`{name}` is `{found}`, but must be `{expected}`")]);
        }
    }
    let known = texts(steps, locale);
    let expected: HashMap<_, _> = known.iter().map(|text| (text.id(), text)).collect();
    let (mut problems, mut seen) = (Vec::new(), HashSet::new());
    for (at, text) in document.texts.iter().enumerate() {
        if !expected.contains_key(&text.id()) {
            problems.push(format!("texts[{at}]: the tour has no text {}", text.name()));
        } else if !seen.insert(text.id()) {
            problems.push(format!("texts[{at}]: {} is in the file twice", text.name()));
        } else if let Some(problem) = violation(&text.field, &text.translation) {
            problems.push(format!("texts[{at}]: {} {problem}", text.name()));
        }
    }
    let missing = known.iter().filter(|text| !seen.contains(&text.id()));
    problems.extend(missing.map(|text| format!("texts: {} is missing", text.name())));
    if !problems.is_empty() {
        return Err(problems);
    }
    let translated = document.texts.iter().filter(|text| !text.translation.trim().is_empty());
    let mut count = 0;
    for text in translated {
        let Some(step) = steps.iter_mut().find(|step| step["key"] == text.step.as_str()) else {
            continue;
        };
        let new = json!({ "locale": locale, "field": text.field, "source": text.original, "text": text.translation });
        match step["translations"].as_array_mut() {
            Some(translations) => {
                translations.retain(|each| !is_of(each, locale, &text.field, &text.original));
                translations.push(new);
            }
            None => step["translations"] = json!([new]),
        }
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<Value> {
        vec![
            json!({ "key": "a", "title": "Hello", "branches": [{ "label": "Yes" }, { "label": "No" }, {}] }),
            json!({ "key": "b", "kind": "WAIT", "title": "Not visible" }),
        ]
    }

    fn document(texts: &[Text]) -> String {
        json!({ "format": FORMAT, "tour": "hello", "from": "en", "to": "de", "texts": texts }).to_string()
    }

    #[test]
    fn exported_texts_are_imported_with_their_originals() {
        let mut steps = steps();
        let mut exported = texts(&steps, "de");
        let ids: Vec<_> = exported.iter().map(Text::id).collect();
        assert_eq!(
            ids,
            [
                ("a", "TITLE", ""),
                ("a", BRANCH_LABEL, "Yes"),
                ("a", BRANCH_LABEL, "No")
            ]
        );
        exported[0].original = "Hi".to_owned();
        exported[0].translation = "Hallo".to_owned();
        exported[2].translation = "Nein".to_owned();
        assert_eq!(apply(&mut steps, "hello", "de", &document(&exported)), Ok(2));
        assert_eq!(
            steps[0]["translations"],
            json!([
                { "locale": "de", "field": "TITLE", "source": "Hi", "text": "Hallo" },
                { "locale": "de", "field": "BRANCH_LABEL", "source": "No", "text": "Nein" },
            ])
        );
        exported[0].translation = "Servus".to_owned();
        assert_eq!(apply(&mut steps, "hello", "de", &document(&exported)), Ok(2));
        assert_eq!(steps[0]["translations"].as_array().map(Vec::len), Some(2));
        assert_eq!(texts(&steps, "de")[0].translation, "Servus");
    }

    #[test]
    fn all_problems_are_reported_by_place_and_nothing_is_imported() {
        let mut steps = steps();
        let mut exported = texts(&steps, "de");
        exported[0].translation = "x".repeat(81);
        exported[1].step = "nowhere".to_owned();
        exported.push(exported[2].clone());
        assert_eq!(
            apply(&mut steps, "hello", "de", &document(&exported)),
            Err(vec![
                "texts[0]: TITLE of step `a` must have at most 80 characters".to_owned(),
                "texts[1]: the tour has no text BRANCH_LABEL of step `nowhere`".to_owned(),
                "texts[3]: BRANCH_LABEL of step `a` is in the file twice".to_owned(),
                "texts: BRANCH_LABEL of step `a` is missing".to_owned(),
            ])
        );
        assert_eq!(steps, super::tests::steps());
        assert_eq!(
            apply(&mut steps, "other", "de", &document(&[])),
            Err(vec!["`tour` is `hello`, but must be `other`".to_owned()])
        );
    }
}
