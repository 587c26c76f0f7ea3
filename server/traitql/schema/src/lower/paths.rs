use apollo_compiler::Schema;
use apollo_compiler::ast::{FieldDefinition, InputValueDefinition, Type};
use apollo_compiler::schema::ExtendedType;

use crate::diagnostics::suggest::did_you_mean_one_of;

pub(crate) struct Path<'s> {
    pub(crate) parts: Vec<String>,
    /// The argument or input field at its end.
    pub(crate) target: &'s InputValueDefinition,
    /// True if every part of the path is non-null.
    pub(crate) is_non_null: bool,
}

pub(crate) struct InvalidPath {
    pub(crate) message: String,
    pub(crate) help: String,
}

pub(crate) fn resolve<'s>(schema: &'s Schema, field: &'s FieldDefinition, path: &str) -> Result<Path<'s>, InvalidPath> {
    let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
    let mut target: Option<&InputValueDefinition> = None;
    let mut is_non_null = true;
    for part in &parts {
        let (missing, scope): (String, Vec<&InputValueDefinition>) = match target {
            None => (
                format!("field `{}` has no argument", field.name),
                field.arguments.iter().map(|a| &**a).collect(),
            ),
            Some(outer) => {
                let ty = outer.ty.inner_named_type();
                match schema.types.get(ty) {
                    Some(ExtendedType::InputObject(input)) if !is_list(&outer.ty) => (
                        format!("input `{ty}` has no field"),
                        input.fields.values().map(|field| &**field).collect(),
                    ),
                    _ => {
                        let message = format!("`{}` has type `{}`, which has no fields", outer.name, outer.ty);
                        return Err(InvalidPath {
                            message,
                            help: String::new(),
                        });
                    }
                }
            }
        };
        match scope.iter().copied().find(|input| input.name == part.as_str()) {
            Some(found) => {
                is_non_null &= found.ty.is_non_null();
                target = Some(found);
            }
            None => {
                let names: Vec<&str> = scope.iter().map(|input| input.name.as_str()).collect();
                let available = if target.is_none() {
                    "available arguments:"
                } else {
                    "available fields:"
                };
                let help = did_you_mean_one_of(part, &names, available);
                return Err(InvalidPath {
                    message: format!("{missing} `{part}`"),
                    help,
                });
            }
        }
    }
    let target = target.expect("splitting a string returns at least one part");
    Ok(Path {
        parts,
        target,
        is_non_null,
    })
}

fn is_list(ty: &Type) -> bool {
    ty.is_list()
}
