//! Directives that a schema uses without defining them. Those with an enum of the application (roles, error codes,
//! formats) need that enum under its usual name.

use std::collections::BTreeSet;

use apollo_compiler::Node;
use apollo_compiler::ast::{
    Definition, DirectiveList, Document, EnumValueDefinition, FieldDefinition, InputValueDefinition,
};

use crate::definitions::DEFINITIONS;
use crate::parse::source::SourceText;

/// Definitions that must be added to a schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingDefinitions {
    /// Names without `@`, in the order of the reference.
    pub directives: Vec<String>,
    /// SDL of the directives and of the enums they need.
    pub text: String,
}

#[must_use]
pub fn undefined_directives(schema: &[SourceText]) -> Option<MissingDefinitions> {
    let ours = Document::parse(DEFINITIONS, "directives.graphql").ok()?;
    let known = || ours.definitions.iter().filter_map(Definition::as_directive_definition);
    let known_names: BTreeSet<&str> = known().map(|directive| directive.name.as_str()).collect();
    // Avoids parsing large third-party schemas twice.
    if !schema.iter().any(|source| mentions(&source.text, &known_names)) {
        return None;
    }
    let documents: Vec<Document> = schema
        .iter()
        .map(|source| Document::parse(&*source.text, &*source.path).unwrap_or_else(|failed| failed.partial))
        .collect();
    let theirs = || documents.iter().flat_map(|document| &document.definitions);
    // Directives and types have separate namespaces.
    let names = |directives: bool| -> BTreeSet<&str> {
        let definitions = theirs().filter(|definition| definition.as_directive_definition().is_some() == directives);
        definitions
            .filter_map(|it| it.name().map(|name| name.as_str()))
            .collect()
    };
    let (defined, types) = (names(true), names(false));
    let mut used = BTreeSet::new();
    theirs().for_each(|definition| collect(definition, &mut used));

    let enums = || ours.definitions.iter().filter_map(Definition::as_enum_type_definition);
    let mut directives = Vec::new();
    let mut needed = BTreeSet::new();
    let mut text = String::new();
    for directive in known() {
        let name = directive.name.as_str();
        if !used.contains(name) || defined.contains(name) {
            continue;
        }
        let arguments = directive.arguments.iter();
        let wanted: Vec<&str> = arguments
            .map(|argument| argument.ty.inner_named_type().as_str())
            .collect();
        let is_available = |name: &&str| {
            matches!(*name, "Int" | "Float" | "String" | "Boolean" | "ID")
                || types.contains(name)
                || enums().any(|ty| ty.name == *name)
        };
        if !wanted.iter().all(is_available) {
            continue;
        }
        needed.extend(wanted.into_iter().filter(|name| !types.contains(name)));
        directives.push(name.to_owned());
        text += &format!("{directive}\n\n");
    }
    for ty in enums().filter(|ty| needed.contains(ty.name.as_str())) {
        text += &format!("{ty}\n\n");
    }
    (!directives.is_empty()).then(|| MissingDefinitions {
        directives,
        text: text.trim_end().to_owned() + "\n",
    })
}

fn mentions(text: &str, names: &BTreeSet<&str>) -> bool {
    let is_part = |ch: char| ch.is_ascii_alphanumeric() || ch == '_';
    text.split('@').skip(1).any(|rest| {
        let name = rest.split(|ch| !is_part(ch)).next().unwrap_or_default();
        // Whitespace and comments are allowed between `@` and the name.
        name.is_empty() || names.contains(name)
    })
}

fn collect<'a>(definition: &'a Definition, used: &mut BTreeSet<&'a str>) {
    list(definition.directives(), used);
    match definition {
        Definition::ObjectTypeDefinition(ty) => fields(&ty.fields, used),
        Definition::ObjectTypeExtension(ty) => fields(&ty.fields, used),
        Definition::InterfaceTypeDefinition(ty) => fields(&ty.fields, used),
        Definition::InterfaceTypeExtension(ty) => fields(&ty.fields, used),
        Definition::InputObjectTypeDefinition(ty) => inputs(&ty.fields, used),
        Definition::InputObjectTypeExtension(ty) => inputs(&ty.fields, used),
        Definition::EnumTypeDefinition(ty) => values(&ty.values, used),
        Definition::EnumTypeExtension(ty) => values(&ty.values, used),
        Definition::DirectiveDefinition(directive) => inputs(&directive.arguments, used),
        _ => {}
    }
}

fn fields<'a>(fields: &'a [Node<FieldDefinition>], used: &mut BTreeSet<&'a str>) {
    for field in fields {
        list(&field.directives, used);
        inputs(&field.arguments, used);
    }
}

fn inputs<'a>(inputs: &'a [Node<InputValueDefinition>], used: &mut BTreeSet<&'a str>) {
    inputs.iter().for_each(|input| list(&input.directives, used));
}

fn values<'a>(values: &'a [Node<EnumValueDefinition>], used: &mut BTreeSet<&'a str>) {
    values.iter().for_each(|value| list(&value.directives, used));
}

fn list<'a>(directives: &'a DirectiveList, used: &mut BTreeSet<&'a str>) {
    used.extend(directives.iter().map(|directive| directive.name.as_str()));
}
