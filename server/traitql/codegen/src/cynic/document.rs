use std::collections::BTreeMap;

use traitql_schema::model::{Argument, Fragment, Operation, Origin, SelectedField, Selection, Type, TypeRef, Value};

use super::inputs;
use super::selection::{Flat, Merged};
use super::{Client, RESERVED, RESERVED_MODULES, attribute, rename, wrapped};
use crate::GeneratedFile;
use crate::names::{ident, pascal, snake};
use crate::render::{RustFile, WIDTH, indented};

/// The generated module of one document.
pub(super) struct Module {
    pub(super) name: String,
    /// Name of the operation or fragment.
    pub(super) document: String,
    pub(super) exports: Vec<String>,
    pub(super) origin: Origin,
    pub(super) file: GeneratedFile,
}

pub(super) fn fragment<'a>(client: &mut Client<'a>, fragment: &'a Fragment) -> Module {
    let name = pascal(&fragment.name);
    let mut document = Document::new(client, &fragment.name, &fragment.origin, None);
    document.root(&name, &fragment.on, &fragment.selections);
    document.finish(&name, vec![name.clone()])
}

pub(super) fn operation<'a>(client: &mut Client<'a>, operation: &'a Operation) -> Module {
    let name = &operation.name;
    let variables = (!operation.variables.is_empty()).then(|| format!("{name}Variables"));
    let root = [
        Some(&client.model.query),
        client.model.mutation.as_ref(),
        client.model.subscription.as_ref(),
    ];
    let root = root[operation.kind as usize].map_or("", String::as_str);
    let mut document = Document::new(client, name, &operation.origin, variables.clone());
    if let Some(variables) = &variables {
        document.variables(variables, operation);
    }
    document.root(name, root, &operation.selections);
    document.finish(name, [Some(name.clone()), variables].into_iter().flatten().collect())
}

struct Document<'c, 'a> {
    client: &'c mut Client<'a>,
    name: &'a str,
    origin: &'a Origin,
    variables: Option<String>,
    /// Types, each before the types of its fields.
    items: Vec<String>,
    /// Their names, with the selections of the named type. `None` is another item.
    names: BTreeMap<String, Option<(&'a str, Vec<&'a Selection>)>>,
}

impl<'c, 'a> Document<'c, 'a> {
    fn new(client: &'c mut Client<'a>, name: &'a str, origin: &'a Origin, variables: Option<String>) -> Self {
        Self {
            client,
            name,
            origin,
            names: RESERVED
                .map(str::to_owned)
                .into_iter()
                .chain(variables.clone())
                .map(|name| (name, None))
                .collect(),
            variables,
            items: Vec::new(),
        }
    }

    fn finish(self, name: &str, exports: Vec<String>) -> Module {
        let mut module = snake(name);
        if RESERVED_MODULES.contains(&module.as_str()) || ident(&module) != module {
            module.push('_');
        }
        let path = format!("{}/{module}.rs", self.client.config.folder);
        let mut file = RustFile::new(path, self.origin.file.as_str(), "");
        file.item("use super::schema;");
        for item in self.items {
            // prettyplease removes the spaces between the tokens of cynic's arguments.
            if item.contains("#[arguments(") {
                file.verbatim(item);
            } else {
                file.item(item);
            }
        }
        Module {
            name: module,
            document: self.name.to_owned(),
            exports,
            origin: self.origin.clone(),
            file: file.finish(),
        }
    }

    fn variables(&mut self, name: &str, operation: &'a Operation) {
        let mut fields = Vec::new();
        for variable in &operation.variables {
            self.client.require(variable.ty.name());
            fields.push(inputs::variable(self.client, variable));
        }
        self.items.push(inputs::structure(
            name,
            "cynic::QueryVariables, Debug, Clone",
            "",
            &fields,
        ));
    }

    fn root(&mut self, name: &str, ty: &'a str, selections: &'a [Selection]) {
        self.names.insert(name.to_owned(), None);
        let selections: Vec<&Selection> = selections.iter().collect();
        self.ty(name, ty, &selections);
    }

    /// Writes the type of a selection set.
    fn ty(&mut self, name: &str, ty: &'a str, selections: &[&'a Selection]) {
        let at = self.items.len();
        self.items.push(String::new());
        let head = self.head(name, ty, selections);
        self.items[at] = match self.client.variants(ty, selections) {
            Some(members) => {
                let mut variants = String::new();
                for member in members {
                    if let Some(inner) = self.variant(name, member, selections) {
                        let variant = pascal(self.client.model.rust_type(member));
                        variants += &format!("    {variant}({inner}),\n");
                    }
                }
                format!(
                    "#[derive(cynic::InlineFragments, Debug, Clone)]\n{head}pub enum {name} {{\n{variants}    \
                     /// An object without selected fields.\n    #[cynic(fallback)]\n    Unknown,\n}}\n"
                )
            }
            None => {
                let flat = self.client.flatten(ty, selections);
                let fields = self.fields(name, ty, flat);
                structure(name, &head, &fields)
            }
        };
    }

    fn head(&self, name: &str, ty: &str, selections: &[&'a Selection]) -> String {
        let mut attributes = Vec::new();
        if name != ty {
            attributes.push(format!("graphql_type = {ty:?}"));
        }
        if let Some(variables) = &self.variables
            && selections
                .iter()
                .any(|selection| self.client.uses_variables(std::slice::from_ref(*selection)))
        {
            attributes.push(format!("variables = {variables:?}"));
        }
        let mut head = attribute(&attributes);
        // cynic reads the name of an operation from its type.
        if pascal(name) != name {
            head += "#[allow(non_camel_case_types, reason = \"the name of the operation\")]\n";
        }
        head
    }

    fn variant(&mut self, name: &str, member: &'a str, selections: &[&'a Selection]) -> Option<String> {
        let flat = self.client.flatten(member, selections);
        if flat.fields.is_empty()
            && let [fragment] = flat.spreads.values().copied().collect::<Vec<_>>()[..]
            && self.client.is_shared(fragment)
        {
            return Some(format!("super::{}", pascal(&fragment.name)));
        }
        if flat.fields.is_empty() && flat.spreads.is_empty() {
            return None;
        }
        let (own, is_new) = self.named(name, "", member, selections);
        if is_new {
            let at = self.items.len();
            self.items.push(String::new());
            let head = self.head(&own, member, selections);
            let fields = self.fields(&own, member, flat);
            self.items[at] = structure(&own, &head, &fields);
        }
        Some(own)
    }

    fn fields(&mut self, owner: &str, ty: &'a str, flat: Flat<'a>) -> String {
        for fragment in flat.conditional {
            let message = format!(
                "`{}` applies `@skip` or `@include` to the fragment `{fragment}`",
                self.name
            );
            let help = "cynic supports these directives on fields only: apply them to the fields";
            self.client.report(self.origin, message, help);
        }
        let mut fields = String::new();
        for Merged { field, selections } in flat.fields.into_values() {
            fields += &self.field(owner, ty, field, &selections);
        }
        for fragment in flat.spreads.into_values() {
            let inner = if self.client.is_shared(fragment) {
                format!("super::{}", pascal(&fragment.name))
            } else {
                let selections: Vec<&Selection> = fragment.selections.iter().collect();
                self.nested(owner, &pascal(&fragment.name), &fragment.on, &selections)
            };
            fields += &format!(
                "#[cynic(spread)]\npub {}: {inner},\n",
                ident(&snake(&pascal(&fragment.name)))
            );
        }
        fields
    }

    fn field(
        &mut self,
        owner: &str,
        parent: &'a str,
        field: &'a SelectedField,
        selections: &[&'a Selection],
    ) -> String {
        let inner = self.inner(owner, field, selections);
        let mut name = ident(&snake(field.response_name()));
        let mut attributes = Vec::new();
        match &field.alias {
            // cynic requests the alias that the field is named, without changes.
            Some(alias) => {
                name = ident(alias);
                attributes.push(format!("rename = {:?}, alias", field.name));
                if name != *alias {
                    let message = format!("`{}` has the alias `{alias}`, which is a keyword in Rust", self.name);
                    self.client.report(self.origin, message, "use another alias");
                }
            }
            None => attributes.extend(rename(&name, &field.name)),
        }
        let mut text = String::new();
        if !field.arguments.is_empty() {
            let arguments = field.arguments.iter().map(|(name, value)| {
                let ty = self.argument_type(parent, &field.name, name);
                let value = self.argument(value, ty);
                format!("{name}: {value}")
            });
            let arguments: Vec<String> = arguments.collect();
            text += &self::arguments(&arguments);
        }
        for condition in &field.conditions {
            let value = self.argument(&condition.value, None);
            text += &format!("#[directives({}(if: {value}))]\n", condition.directive);
        }
        text += &attribute(&attributes);
        let mut ty = wrapped(&field.ty, &inner);
        if !field.conditions.is_empty() && field.ty.is_non_null() {
            ty = format!("Option<{ty}>");
        }
        text + &format!("pub {name}: {ty},\n")
    }

    fn inner(&mut self, owner: &str, field: &'a SelectedField, selections: &[&'a Selection]) -> String {
        let ty = field.ty.name();
        if selections.is_empty() || self.client.is_json(ty) {
            self.client.require(ty);
            return self.client.leaf(ty);
        }
        if let [Selection::Spread { fragment, conditions }] = selections
            && conditions.is_empty()
            && let fragment = self.client.fragments[fragment.as_str()]
            && fragment.on == ty
            && self.client.is_shared(fragment)
        {
            return format!("super::{}", pascal(&fragment.name));
        }
        self.nested(owner, &pascal(field.response_name()), ty, selections)
    }

    /// Returns the name of the type of a selection set.
    fn nested(&mut self, owner: &str, field: &str, ty: &'a str, selections: &[&'a Selection]) -> String {
        let (name, is_new) = self.named(owner, field, ty, selections);
        if is_new {
            self.ty(&name, ty, selections);
        }
        name
    }

    /// Returns the name of the schema's type, or if the document has other selections of that type, a name with the
    /// owner and the field. Equal selections share a type. The second result is true if the type is new.
    fn named(&mut self, owner: &str, field: &str, ty: &'a str, selections: &[&'a Selection]) -> (String, bool) {
        let short = self.client.name(ty);
        let mut long = if field.is_empty() {
            format!("{owner}{short}")
        } else {
            format!("{owner}{field}")
        };
        let wanted = Some((ty, selections.to_vec()));
        for name in [short, long.clone()] {
            match self.names.get(&name) {
                None => {
                    self.names.insert(name.clone(), wanted);
                    return (name, true);
                }
                Some(known) if *known == wanted => return (name, false),
                Some(_) => {}
            }
        }
        while self.names.contains_key(&long) {
            long.push('_');
        }
        self.names.insert(long.clone(), wanted);
        (long, true)
    }

    fn argument_type(&self, parent: &str, field: &str, argument: &str) -> Option<&'a TypeRef> {
        let fields = match self.client.model.types.get(parent)? {
            Type::Object(object) => &object.fields,
            Type::Interface(interface) => &interface.fields,
            _ => return None,
        };
        let field = fields.iter().find(|candidate| candidate.name == field)?;
        Some(&field.args.iter().find(|candidate| candidate.name == argument)?.ty)
    }

    /// Returns the value in the syntax of cynic's attributes.
    fn argument(&mut self, value: &Argument, ty: Option<&'a TypeRef>) -> String {
        let named = ty.and_then(|ty| self.client.model.types.get(ty.name()));
        let is_scalar = matches!(named, Some(Type::Scalar(_)));
        let is_list = ty.is_some_and(TypeRef::is_list);
        let is_supported = match value {
            Argument::Object(_) => !is_scalar,
            Argument::List(_) => !is_scalar || is_list,
            Argument::Constant(Value::BigInt(_)) => false,
            _ => true,
        };
        if !is_supported {
            let message = format!("`{}` has an argument that cynic cannot express", self.name);
            self.client.report(self.origin, message, "use a variable");
        }
        match value {
            Argument::Variable(name) => format!("${}", ident(&snake(name))),
            Argument::List(items) => {
                let ty = ty.and_then(|ty| match ty.nullable() {
                    TypeRef::List(item) => Some(&**item),
                    _ => None,
                });
                let items: Vec<String> = items.iter().map(|item| self.argument(item, ty)).collect();
                format!("[{}]", items.join(", "))
            }
            Argument::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| {
                    let ty = match named {
                        Some(Type::Input(input)) => input.fields.iter().find(|field| field.name == *name),
                        _ => None,
                    };
                    format!("{name}: {}", self.argument(value, ty.map(|field| &field.ty)))
                });
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
            Argument::Constant(value) => constant(value),
        }
    }
}

fn structure(name: &str, head: &str, fields: &str) -> String {
    format!(
        "#[derive(cynic::QueryFragment, Debug, Clone)]\n{head}pub struct {name} {{\n{}}}\n",
        indented(fields, 1)
    )
}

/// Writes one argument per line if one line would be too long.
fn arguments(arguments: &[String]) -> String {
    let line = format!("#[arguments({})]\n", arguments.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    format!("#[arguments(\n    {}\n)]\n", arguments.join(",\n    "))
}

fn constant(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::BigInt(digits) => digits.clone(),
        Value::Float(value) => format!("{value:?}"),
        Value::String(text) => format!("{text:?}"),
        Value::Enum(name) => name.clone(),
        Value::Null | Value::List(_) | Value::Object(_) => "null".to_owned(),
    }
}
