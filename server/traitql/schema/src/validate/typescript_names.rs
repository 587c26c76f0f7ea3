//! Names that are distinct in GraphQL but clash in TypeScript, because graphql-codegen adds suffixes to the names of
//! operations, such as `useToursLazyQuery` for `Tours` and for `ToursLazy`.

use std::collections::HashMap;

use apollo_compiler::ast::{Definition, Document, OperationType};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

/// Types and values are separate, and hooks are in a separate file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Type,
    Value,
    Hooks,
}

pub(crate) fn check(schema: &Schema, documents: &[Document], out: &mut Collector) {
    let mut seen: HashMap<(Space, String), (&Name, Option<SourceSpan>)> = HashMap::new();
    for (name, ty) in schema.types.iter().filter(|(_, ty)| !ty.is_built_in()) {
        if matches!(ty, ExtendedType::Enum(_) | ExtendedType::InputObject(_)) {
            seen.insert((Space::Type, pascal(name)), (name, ty.name().location()));
        }
    }
    for definition in documents.iter().flat_map(|document| &document.definitions) {
        let (name, generated) = match definition {
            Definition::OperationDefinition(operation) => {
                let Some(name) = &operation.name else { continue };
                (name, of_operation(name, operation.operation_type))
            }
            Definition::FragmentDefinition(fragment) => (&fragment.name, of_fragment(&fragment.name)),
            _ => continue,
        };
        for generated in generated {
            match seen.get(&generated) {
                // Operations of the same name have their own diagnostic.
                Some((other, _)) if *other == name => {}
                Some((other, span)) => {
                    let message = format!(
                        "`{name}` and `{other}` would both generate `{}` in TypeScript",
                        generated.1
                    );
                    out.report(code::TYPESCRIPT_CLASH, name.location(), message)
                        .note(*span, "conflicts with this one")
                        .help("rename one of them");
                    break;
                }
                None => {
                    seen.insert(generated, (name, name.location()));
                }
            }
        }
    }
}

fn of_operation(name: &str, kind: OperationType) -> Vec<(Space, String)> {
    let name = pascal(name);
    let (kind, hooks, types): (_, &[&str], &[&str]) = match kind {
        OperationType::Query => (
            "Query",
            &["", "Lazy", "Suspense"],
            &[
                "QueryHookResult",
                "LazyQueryHookResult",
                "SuspenseQueryHookResult",
                "QueryResult",
            ],
        ),
        OperationType::Mutation => (
            "Mutation",
            &[""],
            &["MutationFn", "MutationHookResult", "MutationResult", "MutationOptions"],
        ),
        OperationType::Subscription => ("Subscription", &[""], &["SubscriptionHookResult", "SubscriptionResult"]),
    };
    let mut generated = vec![
        (Space::Value, name.clone()),
        (Space::Type, format!("{name}{kind}")),
        (Space::Type, format!("{name}{kind}Variables")),
    ];
    generated.extend(
        hooks
            .iter()
            .map(|form| (Space::Hooks, format!("use{name}{form}{kind}"))),
    );
    generated.extend(types.iter().map(|form| (Space::Hooks, format!("{name}{form}"))));
    generated
}

fn of_fragment(name: &str) -> Vec<(Space, String)> {
    let name = format!("{}Fragment", pascal(name));
    vec![(Space::Value, name.clone()), (Space::Type, name)]
}

/// Keeps underscores.
fn pascal(name: &str) -> String {
    let mut begins = true;
    let letters = name.chars().map(|ch| {
        let ch = if begins { ch.to_ascii_uppercase() } else { ch };
        begins = ch == '_';
        ch
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_graphql_codegen() {
        assert_eq!(pascal("tour_byId"), "Tour_ById");
        let generated = of_operation("Tour", OperationType::Mutation);
        assert!(
            generated.contains(&(Space::Type, "TourMutationVariables".to_owned())),
            "{generated:?}"
        );
        assert!(
            generated.contains(&(Space::Hooks, "useTourMutation".to_owned())),
            "{generated:?}"
        );
        assert_eq!(
            of_fragment("Row_tour")[0],
            (Space::Value, "Row_TourFragment".to_owned())
        );
    }
}
