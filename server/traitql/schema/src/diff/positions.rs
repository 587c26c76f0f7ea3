//! Directions in which types are used: a new enum value affects clients that receive it.

use std::collections::HashSet;

use crate::model::{Model, Type};

#[derive(Debug, Default)]
pub(super) struct Positions<'m> {
    sent: HashSet<&'m str>,
    received: HashSet<&'m str>,
}

impl<'m> Positions<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let mut positions = Self::default();
        for ty in model.types.values() {
            let fields = match ty {
                Type::Object(object) => &object.fields,
                Type::Interface(interface) => &interface.fields,
                Type::Input(input) => {
                    positions.sent.extend(input.fields.iter().map(|field| field.ty.name()));
                    continue;
                }
                _ => continue,
            };
            for field in fields {
                positions.received.insert(field.ty.name());
                positions
                    .sent
                    .extend(field.args.iter().map(|argument| argument.ty.name()));
            }
        }
        // Arguments of executable directives are sent too.
        let directives = model.directives.iter().filter(|directive| directive.is_executable());
        let arguments = directives.flat_map(|directive| &directive.args);
        positions.sent.extend(arguments.map(|argument| argument.ty.name()));
        positions
    }

    pub(super) fn is_sent(&self, name: &str) -> bool {
        self.sent.contains(name)
    }

    pub(super) fn is_received(&self, name: &str) -> bool {
        self.received.contains(name)
    }
}
