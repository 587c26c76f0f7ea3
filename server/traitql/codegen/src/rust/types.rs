use std::collections::BTreeSet;

use traitql_schema::model::{Enum, Field, FieldKind, Interface, Object, ObjectKind, Type};

use super::{
    api::{Api, Style, origin},
    derive::Derives,
    inputs,
};
use crate::{
    GeneratedFile,
    names::{ident, pascal, snake, variant},
    render::{self, RustFile, Text},
};

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for (module, (source, types)) in api.types_by_module() {
        let items: Vec<Text> = types.iter().filter_map(|ty| item(api, ty)).collect();
        if items.is_empty() {
            continue;
        }
        let mut file = RustFile::new(
            api.path(&format!("types/{module}.rs")),
            &source,
            &format!("The types of `{source}`."),
        );
        let imports: Vec<String> = imports(api, &module, &types).into_iter().collect();
        if !imports.is_empty() {
            file.item(format!("use super::{{{}}};", imports.join(", ")));
        }
        items.into_iter().for_each(|item| file.text(item));
        files.push(file.finish());
        modules.push(module);
    }
    let mut list = api.whole("types/mod.rs", "The types of the schema: one module per schema file.");
    list.modules(&modules);
    list.exports(&modules);
    files.push(list.finish());
    files
}

fn item(api: &Api<'_>, ty: &Type) -> Option<Text> {
    if let Some(path) = api.bound_type(ty.name()) {
        let name = pascal(ty.rust());
        let last = path.rsplit("::").next().unwrap_or(path);
        let alias = if last == name {
            String::new()
        } else {
            format!(" as {name}")
        };
        return Some(Text::Code(format!(
            "/// Bound to `{}` in codegen.yml: see [`bind::{name}`](super::super::bind::{name}).\npub use {path}{alias};\n",
            ty.name()
        )));
    }
    let derive = api.derives(ty);
    let text = match ty {
        Type::Scalar(_) => None,
        Type::Enum(ty) => Some(enumeration(api, ty, &derive)),
        Type::Input(ty) => Some(inputs::item(api, ty, &derive)),
        Type::Object(ty) => has_struct(api, ty).then(|| object(api, ty, &derive)),
        Type::Interface(ty) => {
            let doc = render::doc(ty.description.as_deref(), &format!("`interface {}`", ty.name));
            let accessors: String = ty.fields.iter().filter_map(|field| accessor(api, ty, field)).collect();
            let accessors = if accessors.is_empty() {
                String::new()
            } else {
                format!("\nimpl {} {{\n{accessors}}}\n", pascal(&ty.rust))
            };
            Some(sum(api, &ty.rust, &doc, &derive, &api.members(&ty.members)) + &accessors)
        }
        Type::Union(ty) => {
            let doc = render::doc(ty.description.as_deref(), &format!("`union {}`", ty.name));
            Some(sum(api, &ty.rust, &doc, &derive, &api.members(&ty.members)))
        }
    };
    text.map(Text::Code)
}

/// Roots need a field that returns them; the runtime has the parts of connections.
pub(crate) fn has_struct(api: &Api<'_>, object: &Object) -> bool {
    match object.kind {
        ObjectKind::Plain => true,
        ObjectKind::Root(_) => api.is_value(&object.name),
        ObjectKind::Connection { .. } | ObjectKind::Edge { .. } | ObjectKind::PageInfo => false,
    }
}

fn object(api: &Api<'_>, object: &Object, derive: &Derives) -> String {
    let doc = render::doc(object.description.as_deref(), &format!("`type {}`", object.name));
    if matches!(object.kind, ObjectKind::Root(_)) {
        let more = render::lines("\nAs a field's value: its fields are resolved like those of an operation's root.");
        return format!("{doc}{more}{}pub struct {};\n", derive.head, pascal(&object.rust));
    }
    let mut fields = String::new();
    for field in object.fields.iter().filter(|field| field.kind == FieldKind::Data) {
        let doc = render::doc(field.description.as_deref(), &format!("`{}`", field.sdl));
        let name = ident(&snake(&field.rust));
        let head = doc + &deprecation(field.deprecated.as_deref()) + &derive.name(&name, &field.name);
        fields += &render::field(&head, &name, &api.output(&field.ty, Style::Types));
    }
    for (name, ty) in api.config.extra.get(&object.name).into_iter().flatten() {
        fields += &render::field("/// Not in the schema: from `extra` in codegen.yml.", &ident(name), ty);
    }
    let body = render::block(&fields);
    format!("{doc}{}pub struct {} {body}\n", derive.head, pascal(&object.rust))
}

/// Writes a note instead of `#[deprecated]`, because the server must still populate deprecated fields.
fn deprecation(reason: Option<&str>) -> String {
    reason
        .map(|reason| render::lines(&format!("\nDeprecated: {reason}")))
        .unwrap_or_default()
}

fn enumeration(api: &Api<'_>, ty: &Enum, derive: &Derives) -> String {
    let name = pascal(&ty.rust);
    let doc = render::doc(ty.description.as_deref(), &format!("`enum {}`", ty.name));
    let variants: String = ty
        .values
        .iter()
        .map(|value| {
            let doc = render::doc(value.description.as_deref(), &format!("`{}`", value.name));
            let variant = variant(&value.rust);
            let head = doc + &deprecation(value.deprecated.as_deref()) + &derive.name(&variant, &value.name);
            format!("{}    {variant},\n", render::indented(&head, 1))
        })
        .collect();
    let all: Vec<String> = ty
        .values
        .iter()
        .map(|value| format!("Self::{}", variant(&value.rust)))
        .collect();
    let arms = |arm: &dyn Fn(&str, &str) -> String| -> String {
        ty.values
            .iter()
            .zip(&all)
            .map(|(value, variant)| arm(variant, &render::literal(&value.name)))
            .collect()
    };
    let option = api.std("Option", Style::Types);
    format!(
        "{doc}{head}pub enum {name} {{
{variants}}}

impl {name} {{
    /// All values, in schema order.
    pub const ALL: &'static [Self] = &[{all}];
    /// Returns the name in the schema.
    pub const fn as_graphql(self) -> &'static str {{
        match self {{
{to}        }}
    }}
    /// Returns the value with this name in the schema.
    pub fn from_graphql(name: &str) -> {option}<Self> {{
        match name {{
{from}            _ => None,
        }}
    }}
}}

impl std::fmt::Display for {name} {{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
        f.write_str(self.as_graphql())
    }}
}}
",
        head = derive.head,
        all = all.join(", "),
        to = arms(&|variant, name| format!("{variant} => {name},")),
        from = arms(&|variant, name| format!("{name} => Some({variant}),")),
    )
}

fn sum(api: &Api<'_>, name: &str, doc: &str, derive: &Derives, members: &[&str]) -> String {
    let name = pascal(name);
    let from = api.std("From", Style::Types);
    let variants: String = members
        .iter()
        .map(|m| {
            let (rust, ty) = (api.rust(m), api.named(m, Style::Types));
            let head = format!("/// `{rust}`\n{}", derive.name(&rust, m));
            format!("{}    {rust}({ty}),\n", render::indented(&head, 1))
        })
        .collect();
    let conversions: String = members
        .iter()
        .map(|m| {
            format!(
                "\nimpl {from}<{ty}> for {name} {{\n    fn from(value: {ty}) -> Self {{\n        Self::{m}(value)\n    }}\n}}\n",
                m = api.rust(m),
                ty = api.named(m, Style::Types)
            )
        })
        .collect();
    let body = render::block(&variants);
    format!("{doc}{}pub enum {name} {body}\n{conversions}", derive.head)
}

/// All members of the interface must have the field with the same type.
fn accessor(api: &Api<'_>, interface: &Interface, field: &Field) -> Option<String> {
    let members = api.members(&interface.members);
    let member_fields: Option<Vec<&Field>> = members
        .iter()
        .map(|member| match api.model.types.get(*member)? {
            Type::Object(object) => object.fields.iter().find(|f| f.name == field.name),
            _ => None,
        })
        .collect();
    let same = |member: &&Field| member.kind == FieldKind::Data && member.ty == field.ty;
    if !member_fields.as_ref()?.iter().all(same) || members.is_empty() {
        return None;
    }
    let name = ident(&snake(&field.rust));
    let doc = render::doc(field.description.as_deref(), &format!("`{}`", field.sdl));
    let ty = api.output(&field.ty, Style::Types);
    // A bound type's accessor returns an owned value, so all must.
    let is_owned = members.iter().any(|member| api.bound_type(member).is_some());
    let arms: String = members
        .iter()
        .zip(member_fields.iter().flatten())
        .map(|(member, field)| {
            let (variant, name) = (api.rust(member), ident(&snake(&field.rust)));
            let body = match (is_owned, api.bound_type(member)) {
                (false, _) => format!("&value.{name}"),
                (true, None) => format!("::std::clone::Clone::clone(&value.{name})"),
                (true, Some(_)) => {
                    let row = if api.is_shared(member) { "&**value" } else { "value" };
                    format!("{}::{name}({})", api.bind(member), row)
                }
            };
            format!("Self::{variant}(value) => {body},")
        })
        .collect();
    let reference = if is_owned { "" } else { "&" };
    let doc = render::indented(&doc, 1);
    Some(format!(
        "{doc}    pub fn {name}(&self) -> {reference}{ty} {{\n        match self {{\n{arms}        }}\n    }}\n"
    ))
}

fn imports(api: &Api<'_>, module: &str, types: &[&Type]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for ty in types.iter().filter(|ty| api.bound_type(ty.name()).is_none()) {
        match ty {
            Type::Scalar(_) | Type::Enum(_) => {}
            Type::Input(ty) => {
                for field in &ty.fields {
                    names.insert(field.ty.name());
                }
            }
            Type::Object(ty) if has_struct(api, ty) => {
                names.extend(
                    ty.fields
                        .iter()
                        .filter(|f| f.kind == FieldKind::Data)
                        .map(|f| f.ty.name()),
                );
            }
            Type::Object(_) => {}
            Type::Interface(ty) => {
                names.extend(api.members(&ty.members));
                names.extend(
                    ty.fields
                        .iter()
                        .filter(|f| accessor(api, ty, f).is_some())
                        .map(|f| f.ty.name()),
                );
            }
            Type::Union(ty) => names.extend(api.members(&ty.members)),
        }
    }
    names
        .into_iter()
        .filter(|name| {
            api.model.types.get(*name).is_some_and(|ty| {
                !matches!(ty, Type::Scalar(_))
                    && !matches!(ty, Type::Object(object) if !has_struct(api, object))
                    && !api.config.scalars.contains_key(*name)
                    && api.module(&origin(ty).file) != module
            })
        })
        .map(|name| api.bare(name, Style::Types))
        .collect()
}
