//! `@auth` and `@public`: access to root fields. Every root field must have one, so that no field is public by mistake.
//! The convention can be turned off only for a schema without any of them.

use apollo_compiler::ast::{Directive, FieldDefinition};
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Node, Schema};

use super::{Lower, Unguarded, argument, paths};
use crate::diagnostics::code;
use crate::diagnostics::suggest::{did_you_mean_one_of, nearest};
use crate::model::{Access, Authentication, RootKind, Subject};
use crate::options::Options;

pub(super) fn role_enum(schema: &Schema) -> Option<String> {
    let argument = schema.directive_definitions.get("auth")?.argument_by_name("role")?;
    Some(argument.ty.inner_named_type().to_string())
}

const GUARD: &str = "add `@auth(role: …, of: \"…\", by: \"…\")` to require a role on a subject,\n\
    `@auth` to require a signed-in account, or `@public` to allow everyone";

const OPEN: &str = "to make every root field public instead, write `allow: [access_missing]` in codegen.yml;\n\
    `cargo traitql new --public` does that";

pub(super) fn may_be_open(schema: &Schema, options: &Options) -> bool {
    options.allows(code::ACCESS_MISSING) && (options.ignores_access() || !declares_access(schema))
}

/// True if any field has `@auth` or `@public`.
fn declares_access(schema: &Schema) -> bool {
    let mut objects = schema.types.values().filter_map(ExtendedType::as_object);
    objects.any(|object| {
        let mut fields = object.fields.values();
        fields.any(|field| field.directives.has("auth") || field.directives.has("public"))
    })
}

impl Lower<'_> {
    pub(super) fn access(
        &mut self,
        parent: &Name,
        root: Option<RootKind>,
        field: &Node<FieldDefinition>,
    ) -> Option<Access> {
        let auth = field.directives.get("auth");
        let public = field.directives.get("public");
        if root.is_none() {
            for directive in auth.into_iter().chain(public) {
                let message = format!(
                    "`@{}` is only allowed on root fields, not on `{parent}.{}`",
                    directive.name, field.name
                );
                self.out.report(code::ACCESS_MISPLACED, directive.location(), message).help(
                    "remove it; access is checked at the fields of Query, Mutation and Subscription, before any resolver runs",
                );
            }
            return None;
        }
        match (auth, public) {
            (None, None) => {
                // A misspelled `@pubic` is already reported as an unknown directive.
                let misspelled = field.directives.iter().any(|directive| {
                    !self.schema.directive_definitions.contains_key(&directive.name)
                        && nearest(&directive.name, ["auth", "public"]).is_some()
                });
                if misspelled {
                    return None;
                }
                if self.may_be_open {
                    return Some(Access::Public);
                }
                self.without_access.push(Unguarded {
                    coordinate: format!("{parent}.{}", field.name),
                    at: field.name.location(),
                });
                None
            }
            (Some(auth), Some(public)) => {
                let message = format!("`{parent}.{}` has both `@auth` and `@public`", field.name);
                self.out
                    .report(code::ACCESS_TWICE, public.location(), message)
                    .note(auth.location(), "conflicts with this directive")
                    .help("remove one of them");
                None
            }
            (None, Some(_)) => Some(Access::Public),
            (Some(auth), None) => self.role_access(parent, field, auth),
        }
    }

    /// A schema without any access directive has one decision to make, not one for each field.
    pub(super) fn report_missing_access(&mut self) {
        let fields = std::mem::take(&mut self.without_access);
        let is_undecided = !declares_access(self.schema);
        if let [first, _, ..] = fields.as_slice()
            && is_undecided
        {
            let message = format!("none of the {} root fields has an access directive", fields.len());
            self.out
                .report(code::ACCESS_MISSING, first.at, message)
                .help(GUARD)
                .help(OPEN);
            return;
        }
        for field in fields {
            let message = format!("`{}` has no access directive", field.coordinate);
            let draft = self.out.report(code::ACCESS_MISSING, field.at, message).help(GUARD);
            if is_undecided {
                draft.help(OPEN);
            } else if self.options.allows(code::ACCESS_MISSING) {
                draft.help("`access_missing` can be allowed only for a schema that uses neither `@auth` nor `@public`");
            }
        }
    }

    fn role_access(&mut self, parent: &Name, field: &FieldDefinition, auth: &Node<Directive>) -> Option<Access> {
        let role = argument(self.schema, auth, "role");
        let of = argument(self.schema, auth, "of");
        let by = argument(self.schema, auth, "by");
        let authentication = Authentication {
            max_age: self.max_age(auth),
            acr: self.acr(auth),
        };
        let (role, of, by) = match (role, of, by) {
            (None, None, None) => return Some(Access::SignedIn { authentication }),
            (Some(role), Some(of), Some(by)) => (role, of, by),
            (role, of, by) => {
                let given = [("role", role), ("of", of), ("by", by)];
                let missing: Vec<_> = given.iter().filter(|(_, value)| value.is_none()).collect();
                let missing = missing
                    .iter()
                    .map(|(name, _)| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(" and ");
                let message = format!("`@auth` of `{parent}.{}` is missing {missing}", field.name);
                self.out.report(code::AUTH_INCOMPLETE, auth.location(), message).help(
                    "give all three arguments, as in `@auth(role: AUTHOR, of: \"Tour\", by: \"input.id\")`, or none",
                );
                return None;
            }
        };
        self.uses_roles = true;
        let (Some(role), Some(of_name), Some(path)) = (role.as_enum(), of.as_str(), by.as_str()) else {
            return None;
        };
        if !matches!(self.schema.types.get(of_name), Some(ExtendedType::Object(_))) {
            let objects = self
                .schema
                .types
                .iter()
                .filter(|(_, ty)| ty.is_object() && !ty.is_built_in());
            let objects: Vec<&str> = objects.map(|(name, _)| name.as_str()).collect();
            let help = did_you_mean_one_of(of_name, &objects, "the object types are");
            let message = format!("`of` refers to `{of_name}`, which is not an object type");
            self.out
                .report(code::SUBJECT_UNKNOWN, of.location(), message)
                .help(help);
            return None;
        }
        let path = match paths::resolve(self.schema, field, path) {
            Ok(path) => path,
            Err(invalid) => {
                let message = format!("invalid path in `by`: {}", invalid.message);
                self.out
                    .report(code::AUTH_PATH_UNKNOWN, by.location(), message)
                    .help(invalid.help);
                return None;
            }
        };
        let ty = path.target.ty.inner_named_type();
        if path.target.ty.is_list() || !path.is_non_null || !(ty == "ID" || ty == "String") {
            let written = path.parts.join(".");
            let message =
                format!("`{written}` cannot identify a `{of_name}` because it is not a single, non-null ID or String");
            self.out
                .report(code::AUTH_PATH_TYPE, by.location(), message)
                .note(
                    path.target.name.location(),
                    format!("`{written}` has type `{}`", path.target.ty),
                )
                .help(
                    "every part of the path needs a type that ends in `!`, and the last one must be `ID!` or `String!`",
                );
            return None;
        }
        let by = (ty == "String").then(|| path.parts.last().cloned()).flatten();
        let subject = self.subject(Subject {
            of: of_name.to_owned(),
            by,
        });
        Some(Access::Role {
            role: role.to_string(),
            subject,
            path: path.parts,
            authentication,
        })
    }

    fn max_age(&mut self, auth: &Node<Directive>) -> Option<u32> {
        let value = argument(self.schema, auth, "maxAge")?;
        // A null is no limit; the compiler reports a wrong type.
        let seconds = value.to_i32()?;
        let max_age = u32::try_from(seconds).ok().filter(|seconds| *seconds > 0);
        if max_age.is_none() {
            let message = format!("a `maxAge` of {seconds} seconds rejects every call");
            self.out
                .report(code::AUTH_MAX_AGE, value.location(), message)
                .help("give the seconds since the last sign-in with a password or key, such as 300");
        }
        max_age
    }

    fn acr(&mut self, auth: &Node<Directive>) -> Option<String> {
        let value = argument(self.schema, auth, "acr")?;
        let level = value.as_str()?;
        if level.is_empty() {
            self.out
                .report(
                    code::AUTH_ACR,
                    value.location(),
                    "`acr` names no level of authentication",
                )
                .help("give the name of a level that the server maps to values of the claim `acr`, such as \"strong\"");
            return None;
        }
        Some(level.to_owned())
    }

    fn subject(&mut self, subject: Subject) -> usize {
        match self.subjects.iter().position(|known| *known == subject) {
            Some(index) => index,
            None => {
                self.subjects.push(subject);
                self.subjects.len() - 1
            }
        }
    }
}
