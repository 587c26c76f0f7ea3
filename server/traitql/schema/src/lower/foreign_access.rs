//! Directives of other tools that look like access checks. traitql ignores directives that it does not know, so such a
//! check would be silently absent.

use std::collections::HashSet;

use apollo_compiler::ast::Directive;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Node, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::options::Options;

/// Apollo Federation, then directives of other servers and of their documentation.
const NAMES: [&str; 24] = [
    "authenticated",
    "requiresScopes",
    "policy",
    "allowAnonymous",
    "authorize",
    "authorized",
    "aws_api_key",
    "aws_auth",
    "aws_cognito_user_pools",
    "aws_iam",
    "aws_lambda",
    "aws_oidc",
    "hasPermission",
    "hasPermissions",
    "hasRole",
    "hasRoles",
    "hasScope",
    "hasScopes",
    "isAuthenticated",
    "isAuthorized",
    "isOwner",
    "requireAuth",
    "requiresAuth",
    "requiresRole",
];

pub(crate) const HELP: &str =
    "write `@auth` on each root field that needs a check; below root fields, check the access in the resolver";

/// True if the name promises an access check that traitql does not have.
pub(crate) fn is_foreign_access(name: &str) -> bool {
    NAMES.contains(&name)
}

/// `others` are the directives of the schema that have the name but not the definition of one of traitql.
pub(super) fn check(schema: &Schema, others: &HashSet<Name>, options: &Options, out: &mut Collector) {
    // A definition that is not allowed to differ is reported itself, as the cause.
    let has_other_auth = others.contains("auth") && options.allows(code::DEFINITION_DIFFERS);
    let is_checked = |name: &Name| is_foreign_access(name) || has_other_auth && name == "auth";
    let mut seen = HashSet::new();
    for directive in directives(schema).filter(|directive| is_checked(&directive.name)) {
        let Some(definition) = schema.directive_definitions.get(&directive.name) else {
            continue;
        };
        if !seen.insert(&directive.name) {
            continue;
        }
        let message = format!(
            "traitql does not enforce `@{}`, so the access check is absent",
            directive.name
        );
        out.report(code::ACCESS_FOREIGN, directive.location(), message)
            .note(definition.name.location(), "this definition has no effect")
            .help(HELP);
    }
}

fn directives(schema: &Schema) -> impl Iterator<Item = &Node<Directive>> {
    schema.types.values().flat_map(|ty| {
        let mut found: Vec<&Node<Directive>> = Vec::new();
        found.extend(ty.directives().iter());
        let fields = match ty {
            ExtendedType::Object(object) => Some(&object.fields),
            ExtendedType::Interface(interface) => Some(&interface.fields),
            _ => None,
        };
        for field in fields.into_iter().flat_map(|fields| fields.values()) {
            found.extend(field.directives.iter());
            found.extend(field.arguments.iter().flat_map(|argument| argument.directives.iter()));
        }
        match ty {
            ExtendedType::InputObject(input) => {
                found.extend(input.fields.values().flat_map(|field| field.directives.iter()));
            }
            ExtendedType::Enum(ty) => found.extend(ty.values.values().flat_map(|value| value.directives.iter())),
            _ => {}
        }
        found
    })
}
