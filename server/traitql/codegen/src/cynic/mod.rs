//! cynic types of operations and fragments, for clients in Rust.
//!
//! Each document is a module with a type for each selection set. A fragment without variables has one type, which all
//! documents that spread it share. cynic's derives check the types against the schema again when the client is compiled.
//!
//! A server accepts the documents of its manifest only, and cynic prints its own from the types. Clients therefore send
//! the hash of the operation with the same name.

mod document;
mod inputs;
mod selection;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use traitql_schema::model::{Argument, Fragment, Model, Operation, Origin, Selection, Type, TypeRef};

use crate::names::pascal;
use crate::render::RustFile;
use crate::{Cynic, GeneratedFile};
use document::Module;

/// A part of an operation that cynic cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CynicProblem {
    pub origin: Origin,
    pub message: String,
    pub help: String,
}

/// Names that cynic's derives and the generated code use without a path.
const RESERVED: [&str; 9] = [
    "Box",
    "Defaulted",
    "Optional",
    "Option",
    "Result",
    "Self",
    "String",
    "Vec",
    "Visitor",
];
const RESERVED_MODULES: [&str; 3] = ["optional", "schema", "types"];
const MODULE_DOC: &str = "cynic types of the operations. A server accepts the documents of its manifest only: send the hash \
                          of the operation\nwith the same name.";

pub(crate) fn generate(model: &Model, config: &Cynic) -> (Vec<GeneratedFile>, Vec<CynicProblem>) {
    let mut client = Client::new(model, config);
    let operations: Vec<&Operation> = model
        .operations
        .iter()
        .filter(|operation| config.operations.is_empty() || config.operations.contains(&operation.name))
        .collect();
    let mut spread = BTreeSet::new();
    for operation in &operations {
        client.spreads(&operation.selections, &mut spread);
    }
    let fragments = spread.into_iter().map(|name| client.fragments[name]);
    let fragments: Vec<&Fragment> = fragments.filter(|fragment| client.is_shared(fragment)).collect();
    let mut modules: Vec<Module> = Vec::new();
    modules.extend(
        fragments
            .into_iter()
            .map(|fragment| document::fragment(&mut client, fragment)),
    );
    modules.extend(
        operations
            .into_iter()
            .map(|operation| document::operation(&mut client, operation)),
    );
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    let types = inputs::file(&client);
    client.report_clashes(&modules);
    let mut files = vec![root(config, &modules), optional(config), types];
    files.extend(modules.into_iter().map(|module| module.file));
    (files, client.problems)
}

/// The state that all documents share.
struct Client<'a> {
    model: &'a Model,
    config: &'a Cynic,
    fragments: IndexMap<&'a str, &'a Fragment>,
    /// Scalars, enums, inputs and JSON types that the documents need.
    used: BTreeSet<&'a str>,
    problems: Vec<CynicProblem>,
}

impl<'a> Client<'a> {
    fn new(model: &'a Model, config: &'a Cynic) -> Self {
        let fragments = model.fragments.iter();
        Self {
            model,
            config,
            fragments: fragments.map(|fragment| (fragment.name.as_str(), fragment)).collect(),
            used: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    /// Adds the names of all fragments that a response of the selections needs. The selections of JSON types have none.
    fn spreads(&self, selections: &'a [Selection], found: &mut BTreeSet<&'a str>) {
        for selection in selections {
            match selection {
                Selection::Field(field) if self.is_json(field.ty.name()) => {}
                Selection::Field(field) => self.spreads(&field.selections, found),
                Selection::Inline { selections, .. } => self.spreads(selections, found),
                Selection::Spread { fragment, .. } => {
                    if found.insert(fragment) {
                        self.spreads(&self.fragments[fragment.as_str()].selections, found);
                    }
                }
            }
        }
    }

    /// cynic binds the type of a fragment with variables to the variables of one operation.
    fn is_shared(&self, fragment: &Fragment) -> bool {
        !self.uses_variables(&fragment.selections)
    }

    fn uses_variables(&self, selections: &[Selection]) -> bool {
        selections.iter().any(|selection| match selection {
            Selection::Field(field) => {
                let conditions = field.conditions.iter().map(|condition| &condition.value);
                field
                    .arguments
                    .iter()
                    .map(|(_, value)| value)
                    .chain(conditions)
                    .any(Argument::has_variables)
                    || !self.is_json(field.ty.name()) && self.uses_variables(&field.selections)
            }
            Selection::Inline { selections, .. } => self.uses_variables(selections),
            Selection::Spread { fragment, .. } => self.uses_variables(&self.fragments[fragment.as_str()].selections),
        })
    }

    fn is_json(&self, ty: &str) -> bool {
        self.config.json.iter().any(|name| name == ty)
    }

    fn name(&self, ty: &str) -> String {
        pascal(self.model.rust_type(ty))
    }

    /// Returns the type of a leaf, an input, or a JSON type.
    fn leaf(&self, ty: &str) -> String {
        match ty {
            "ID" => "cynic::Id".to_owned(),
            "String" => "String".to_owned(),
            "Int" => "i32".to_owned(),
            "Float" => "f64".to_owned(),
            "Boolean" => "bool".to_owned(),
            _ => format!("super::{}", self.name(ty)),
        }
    }

    /// Generates the type, and those of its fields.
    fn require(&mut self, ty: &'a str) {
        let Some((name, definition)) = self.model.types.get_key_value(ty) else {
            return;
        };
        if self.used.insert(name)
            && !self.is_json(ty)
            && let Type::Input(input) = definition
        {
            for field in &input.fields {
                self.require(field.ty.name());
            }
        }
    }

    fn report(&mut self, origin: &Origin, message: String, help: impl Into<String>) {
        self.problems.push(CynicProblem {
            origin: origin.clone(),
            message,
            help: help.into(),
        });
    }

    fn report_clashes(&mut self, modules: &[Module]) {
        let mut taken: BTreeSet<String> = self.used.iter().map(|ty| self.name(ty)).collect();
        taken.extend(RESERVED.map(str::to_owned));
        let mut names = BTreeSet::new();
        for module in modules {
            let clash = module.exports.iter().find(|export| !taken.insert((*export).clone()));
            let clash = clash.or_else(|| (!names.insert(&module.name)).then_some(&module.name));
            if let Some(clash) = clash {
                let message = format!(
                    "`{}` needs the Rust name `{clash}`, which is already used",
                    module.document
                );
                self.report(&module.origin, message, "rename the operation or the fragment");
            }
        }
    }
}

fn root(config: &Cynic, modules: &[Module]) -> GeneratedFile {
    let mut file = rust_file(config, "mod.rs", MODULE_DOC);
    file.item("#![allow(non_snake_case, reason = \"cynic requests the alias that a field is named\")]");
    let mut text = String::new();
    for module in modules {
        text += &format!("pub mod {};\n", module.name);
    }
    text += "mod optional;\nmod types;\n";
    for module in modules {
        text += &format!("pub use self::{}::{{{}}};\n", module.name, module.exports.join(", "));
    }
    text += "pub use self::optional::{Defaulted, Optional};\npub use self::types::*;\n";
    text += &format!(
        "#[cynic::schema({:?})]\n#[allow(unreachable_pub, reason = \"cynic writes this module\")]\nmod schema {{}}\n",
        config.schema
    );
    file.item(text);
    file.finish()
}

fn optional(config: &Cynic) -> GeneratedFile {
    let mut file = rust_file(config, "optional.rs", "Input values that can be absent.");
    file.item(
        "use cynic::coercions::CoercesTo;\n\
         use cynic::serde::{Serialize, Serializer};\n\
         use cynic::variables::VariableType;\n\
         use super::schema::variable::Variable;\n",
    );
    file.verbatim(include_str!("optional.rs.txt"));
    file.finish()
}

fn rust_file(config: &Cynic, name: &str, doc: &str) -> RustFile {
    RustFile::new(format!("{}/{name}", config.folder), "schema and operations", doc)
}

/// Wraps the type of the innermost value in `Option` and `Vec`.
fn wrapped(ty: &TypeRef, inner: &str) -> String {
    match ty {
        TypeRef::NonNull(ty) => match &**ty {
            TypeRef::List(entry) => format!("Vec<{}>", wrapped(entry, inner)),
            _ => inner.to_owned(),
        },
        TypeRef::List(entry) => format!("Option<Vec<{}>>", wrapped(entry, inner)),
        TypeRef::Named(_) => format!("Option<{inner}>"),
    }
}

/// Returns the attribute `rename` if cynic would derive another GraphQL name from a field.
fn rename(ident: &str, name: &str) -> Option<String> {
    let mut parts = ident.split('_');
    let mut derived = parts.next().unwrap_or_default().to_owned();
    derived.extend(parts.map(pascal));
    let is_plain = name.chars().all(|c| c.is_ascii_alphabetic());
    (!is_plain || derived != name).then(|| format!("rename = {name:?}"))
}

fn attribute(parts: &[String]) -> String {
    if parts.is_empty() {
        String::new()
    } else {
        format!("#[cynic({})]\n", parts.join(", "))
    }
}
