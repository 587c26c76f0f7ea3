//! Rules that map a provider's roles and groups to roles in workspaces: `staff=acme:viewer; ops=shop:admin`.

use waypost_api::Role;

use super::{provider::ProviderReader, reader::present};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub claim: String,
    pub workspace: String,
    pub role: Role,
}

pub(super) fn read(reader: &mut ProviderReader<'_>, text: Option<String>) -> Vec<Grant> {
    let Some(text) = present(text) else {
        return Vec::new();
    };
    let mut grants = Vec::new();
    // LDAP groups contain commas and equals signs (`cn=staff,ou=groups`).
    for rule in text.split([';', '\n']).map(str::trim).filter(|rule| !rule.is_empty()) {
        match grant(rule) {
            Some(grant) => grants.push(grant),
            None => {
                let name = reader.variable("GRANTS");
                reader.reader.problems.push(format!(
                    "{name} contains the invalid rule `{rule}`. A rule has the form `staff=acme:viewer`: a role or group of \
                     the provider, the slug of a workspace, and viewer, author, publisher or admin."
                ));
            }
        }
    }
    grants
}

fn grant(rule: &str) -> Option<Grant> {
    let (claim, target) = rule.rsplit_once('=')?;
    let (workspace, role) = target.split_once(':')?;
    let (claim, workspace) = (claim.trim(), workspace.trim());
    let role = Role::from_graphql(&role.trim().to_ascii_uppercase())?;
    (!claim.is_empty() && !workspace.is_empty()).then(|| Grant {
        claim: claim.to_owned(),
        workspace: workspace.to_owned(),
        role,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_parsed() {
        let found = grant("cn=tour writers,ou=groups = acme:Author ").expect("a rule");
        assert_eq!(
            (found.claim.as_str(), found.workspace.as_str(), found.role),
            ("cn=tour writers,ou=groups", "acme", Role::Author)
        );
        for wrong in ["staff", "staff=acme", "staff=acme:boss", "=acme:admin", "staff=:admin"] {
            assert_eq!(grant(wrong), None, "{wrong}");
        }
    }
}
