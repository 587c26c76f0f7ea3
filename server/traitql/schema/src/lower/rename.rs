use indexmap::IndexMap;

use super::rust_names::Names;
use crate::model::{Field, InputValue, Type};

/// Most schemas need no renaming.
pub(super) fn apply(types: &mut IndexMap<String, Type>, names: &Names) {
    if names.is_empty() {
        return;
    }
    let put = |rust: &mut String, coordinate: &str| {
        if let Some(name) = names.get(coordinate) {
            name.clone_into(rust);
        }
    };
    let args = |args: &mut [InputValue], owner: &str| {
        for arg in args {
            put(&mut arg.rust, &format!("{owner}({}:)", arg.name));
        }
    };
    let fields = |fields: &mut [Field], owner: &str| {
        for field in fields {
            let coordinate = format!("{owner}.{}", field.name);
            put(&mut field.rust, &coordinate);
            args(&mut field.args, &coordinate);
        }
    };
    for ty in types.values_mut() {
        match ty {
            Type::Scalar(_) => {}
            Type::Enum(ty) => {
                put(&mut ty.rust, &ty.name);
                for value in &mut ty.values {
                    put(&mut value.rust, &format!("{}.{}", ty.name, value.name));
                }
            }
            Type::Input(ty) => {
                put(&mut ty.rust, &ty.name);
                for field in &mut ty.fields {
                    put(&mut field.rust, &format!("{}.{}", ty.name, field.name));
                }
            }
            Type::Object(ty) => {
                put(&mut ty.rust, &ty.name);
                fields(&mut ty.fields, &ty.name);
            }
            Type::Interface(ty) => {
                put(&mut ty.rust, &ty.name);
                fields(&mut ty.fields, &ty.name);
            }
            Type::Union(ty) => put(&mut ty.rust, &ty.name),
        }
    }
}
