//! Sample values by the name of the field or scalar. Plausible, and recognizable as made up.

use serde_json::{Value, json};

const PEOPLE: [&str; 8] = [
    "Ada Marlow",
    "Ben Okafor",
    "Chiara Conti",
    "Dmitri Anders",
    "Emi Tanaka",
    "Farid Haddad",
    "Greta Lindqvist",
    "Hugo Pereira",
];
const TITLES: [&str; 8] = [
    "A quiet morning",
    "The long way home",
    "Seven small doors",
    "Rain on the harbour",
    "Notes from the north",
    "The last lighthouse",
    "An open window",
    "Under the old bridge",
];
const CITIES: [&str; 6] = ["Lisbon", "Osaka", "Tromsø", "Quito", "Leipzig", "Nairobi"];
const ERRORS: [&str; 4] = [
    "A sample text, until the resolver is written.",
    "Made up, but of the right type.",
    "Every time the same words, so that tests can expect them.",
    "Two sentences are better than one. This is the second.",
];

pub(super) fn text(field: &str, number: u64) -> String {
    let name = kebab(field);
    let is = |words: &[&str]| words.iter().any(|word| name.split('-').any(|part| part == *word));
    let small = number % 90 + 10;
    match () {
        () if is(&["email", "mail"]) => {
            let person = one(&PEOPLE, number).to_lowercase().replace(' ', ".");
            format!("{person}@example.com")
        }
        () if is(&["url", "uri", "href", "link", "avatar", "image", "website"]) => {
            format!("https://example.com/{name}/{small}")
        }
        () if is(&["slug", "handle", "key", "tag", "tags", "login", "username"]) => {
            one(&TITLES, number).to_lowercase().replace(' ', "-")
        }
        () if is(&["color", "colour"]) => format!("#{:06x}", number % 0x00ff_ffff),
        () if is(&["city", "place", "location"]) => one(&CITIES, number).to_owned(),
        () if is(&["country"]) => "PT".to_owned(),
        () if is(&["currency"]) => "EUR".to_owned(),
        () if is(&["locale", "language", "lang"]) => "en".to_owned(),
        () if is(&["phone"]) => format!("+1 555 01{small}"),
        () if is(&[
            "description",
            "summary",
            "body",
            "text",
            "content",
            "bio",
            "note",
            "message",
            "comment",
        ]) =>
        {
            one(&ERRORS, number).to_owned()
        }
        () if is(&["title", "subject", "headline", "caption"]) => one(&TITLES, number).to_owned(),
        () if is(&["name", "author", "person", "owner"]) => one(&PEOPLE, number).to_owned(),
        () if is(&["at", "date", "time"]) => instant(number),
        () => {
            let mut words = name.replace('-', " ");
            if let Some(first) = words.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            format!("{words} {small}")
        }
    }
}

/// Returns an integer of at most four digits for a field of this name; never negative.
pub(super) fn integer(field: &str, number: u64) -> u16 {
    let name = kebab(field);
    let is = |words: &[&str]| words.iter().any(|word| name.split('-').any(|part| part == *word));
    let within = |least: u64, most: u64| u16::try_from(least + number % (most - least + 1)).unwrap_or(0);
    match () {
        () if is(&["year"]) => within(1990, 2025),
        () if is(&["month"]) => within(1, 12),
        () if is(&["day", "hour"]) => within(1, 23),
        () if is(&["age"]) => within(18, 80),
        () if is(&["rating", "stars", "score", "level"]) => within(1, 5),
        () if is(&["width", "height"]) => within(4, 16) * 80,
        () => within(1, 100),
    }
}

/// Sorts the most likely candidate first. A user-defined type accepts one of them or has no samples.
pub(super) fn scalars(scalar: &str, field: &str, number: u64) -> Vec<Value> {
    let name = kebab(scalar);
    let has = |part: &str| name.contains(part);
    let (day, small) = (number % 28 + 1, number % 90 + 10);
    let instant = json!(instant(number));
    let date = json!(format!("2026-01-{day:02}"));
    let time = json!(format!("{:02}:30:00", number % 24));
    let url = json!(format!("https://example.com/{}/{small}", kebab(field)));
    let uuid = json!(format!("00000000-0000-4000-8000-{:012x}", number & 0xffff_ffff_ffff));
    let words = json!(text(field, number));
    let likely = match () {
        () if has("date") && has("time") || has("timestamp") || has("instant") => instant.clone(),
        () if has("date") => date.clone(),
        () if has("duration") => json!("PT1H"),
        () if has("time") => time.clone(),
        () if has("url") || has("uri") => url.clone(),
        () if has("uuid") || has("guid") => uuid.clone(),
        () if has("json") || has("object") || has("map") => json!({ "sample": small }),
        () if has("decimal") || has("money") => json!(format!("{small}.50")),
        () if has("float") || has("double") => json!(small as f64 + 0.5),
        () if has("int") || has("long") || has("short") || has("byte") => json!(small),
        () if has("bool") => json!(true),
        () if has("email") => json!(text("email", number)),
        () if has("html") => json!(format!("<p>{}</p>", one(&ERRORS, number))),
        () if has("color") || has("colour") => json!(text("color", number)),
        () => words.clone(),
    };
    let others = [
        instant,
        date,
        time,
        url,
        uuid,
        json!(small),
        json!(small.to_string()),
        json!(format!("{small}.50")),
        json!(small as f64 + 0.5),
        json!("PT1H"),
        json!("en"),
        json!("ada.marlow@example.com"),
        json!("#2f5bea"),
        json!(true),
        json!([]),
        json!({}),
    ];
    [likely, words].into_iter().chain(others).collect()
}

fn instant(number: u64) -> String {
    format!("2026-01-{:02}T{:02}:30:00.000Z", number % 28 + 1, number % 24)
}

fn one<'w>(words: &[&'w str], number: u64) -> &'w str {
    words[usize::try_from(number % words.len() as u64).unwrap_or(0)]
}

/// `themeId`, `ThemeId`, `theme_id` -> `theme-id`
pub(super) fn kebab(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (at, &c) in chars.iter().enumerate() {
        let after_lower = at > 0 && !chars[at - 1].is_ascii_uppercase();
        let ends_acronym = at > 0 && chars.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let begins_word = c.is_ascii_uppercase() && (after_lower || ends_acronym);
        if (begins_word || c == '_') && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if c != '_' {
            out.push(c.to_ascii_lowercase());
        }
    }
    out
}
