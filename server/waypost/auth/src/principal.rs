use std::sync::Arc;

use serde_json::{Map, Value};

/// Identified by issuer and subject together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    pub issuer: String,
    pub subject: String,
    /// A hash, which cannot be used as the token.
    pub token_id: String,
    pub profile: Profile,
    /// The roles as the provider spells them, sorted and unique.
    pub roles: Vec<String>,
    /// False if the provider could not be reached, or omitted roles because there are too many.
    pub roles_known: bool,
    /// The time in seconds since 1970.
    pub issued_at: Option<u64>,
    pub scopes: Vec<String>,
    /// The time in seconds since 1970. If it is unknown, the time of the next verification.
    pub expires_at: u64,
    /// Session at the provider (`sid`).
    pub session: Option<String>,
    /// The time of the sign-in in seconds since 1970 (`auth_time`).
    pub authenticated_at: Option<u64>,
    /// Set if the age of the last authentication is checked where it is limited.
    pub step_up: bool,
    /// Class of the last authentication.
    pub acr: Option<String>,
    pub acr_values: Arc<[String]>,
    pub source: Source,
    /// RFC 7638; key to which the token is bound (DPoP).
    pub key_thumbprint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Signature,
    Introspection,
    Userinfo,
}

/// OpenID Connect Core 1.0, section 5.1. For display only; never identify an account by them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    pub name: Option<String>,
    pub email: Option<String>,
    /// True if the provider has verified the address.
    pub email_verified: bool,
    pub picture: Option<String>,
}

impl Profile {
    pub(crate) fn read(claims: &Map<String, Value>) -> Self {
        let text = |name: &str| {
            claims
                .get(name)
                .and_then(Value::as_str)
                .filter(|text| !text.trim().is_empty())
        };
        let full_name = || {
            let parts: Vec<_> = [text("given_name"), text("family_name")]
                .into_iter()
                .flatten()
                .collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        };
        Self {
            name: text("name")
                .map(str::to_owned)
                .or_else(full_name)
                .or_else(|| text("preferred_username").map(str::to_owned)),
            email: text("email").map(str::to_owned),
            // Some providers send the string "true".
            email_verified: matches!(claims.get("email_verified"), Some(Value::Bool(true)))
                || text("email_verified") == Some("true"),
            picture: text("picture").map(str::to_owned),
        }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.name.is_some() && self.email.is_some() && self.picture.is_some()
    }

    /// Takes `email` and `email_verified` from the same source.
    pub(crate) fn fill_from(&mut self, other: Self) {
        if self.email.is_none() {
            self.email = other.email;
            self.email_verified = other.email_verified;
        }
        self.name = self.name.take().or(other.name);
        self.picture = self.picture.take().or(other.picture);
    }
}

/// Reads the scopes from `scope` (RFC 9068) or `scp`: a string separated by spaces, or an array.
pub(crate) fn scopes(claims: &Map<String, Value>) -> Vec<String> {
    match claims.get("scope").or_else(|| claims.get("scp")) {
        Some(Value::String(list)) => list.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Sorts and deduplicates. Strings are split at commas, semicolons and spaces.
pub(crate) fn roles(claims: &Map<String, Value>, paths: &[String]) -> Vec<String> {
    let mut roles: Vec<String> = paths
        .iter()
        .filter_map(|path| find(claims, path))
        .flat_map(role_names)
        .collect();
    roles.sort();
    roles.dedup();
    roles
}

/// True if the provider omitted roles, as Entra ID does for members of many groups ("groups overage").
pub(crate) fn omits_roles(claims: &Map<String, Value>) -> bool {
    claims.get("hasgroups") == Some(&Value::Bool(true))
        || claims
            .get("_claim_names")
            .and_then(Value::as_object)
            .is_some_and(|names| names.contains_key("groups") || names.contains_key("roles"))
}

/// Accepts a JSON pointer or a plain name, which may be a URL (Auth0's namespaced claims).
fn find<'c>(claims: &'c Map<String, Value>, path: &str) -> Option<&'c Value> {
    let Some(pointer) = path.strip_prefix('/') else {
        return claims.get(path);
    };
    let (first, rest) = match pointer.find('/') {
        Some(end) => pointer.split_at(end),
        None => (pointer, ""),
    };
    claims.get(&first.replace("~1", "/").replace("~0", "~"))?.pointer(rest)
}

fn role_names(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        // Zitadel: the keys are the roles.
        Value::Object(named) => named
            .iter()
            .filter(|(_, granted)| granted.as_object().is_some_and(|by| !by.is_empty()))
            .map(|(role, _)| role.clone())
            .collect(),
        Value::String(list) => list
            .split([',', ';', ' '])
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn roles_are_read_in_the_format_of_each_provider() {
        for (claims, path) in [
            (json!({"roles": ["author", "admin", "admin"]}), "/roles"),
            (json!({"roles": "admin,author"}), "/roles"),
            (json!({"roles": "admin author"}), "roles"),
            (
                json!({"realm_access": {"roles": ["author", "admin"]}}),
                "/realm_access/roles",
            ),
            (
                json!({"https://waypost.test/roles": ["author", "admin"]}),
                "https://waypost.test/roles",
            ),
            (
                json!({"https://waypost.test/roles": ["author", "admin"]}),
                "/https:~1~1waypost.test~1roles",
            ),
            (json!({"cognito:groups": ["author", 7, "admin"]}), "/cognito:groups"),
            (
                json!({"urn:zitadel:iam:org:project:roles": {"author": {"1": "acme"}, "admin": {"1": "acme"}, "viewer": {}}}),
                "urn:zitadel:iam:org:project:roles",
            ),
        ] {
            assert_eq!(
                roles(&object(claims.clone()), &[path.to_owned()]),
                ["admin", "author"],
                "{claims} {path}"
            );
        }
        assert!(roles(&object(json!({"roles": {"admin": true}})), &["/roles".to_owned()]).is_empty());
    }

    #[test]
    fn email_verified_belongs_to_its_email() {
        let mut profile = Profile::read(&object(json!({"email": "a@example.com"})));
        profile.fill_from(Profile::read(&object(
            json!({"email": "b@example.com", "email_verified": true}),
        )));
        assert_eq!(
            (profile.email.as_deref(), profile.email_verified),
            (Some("a@example.com"), false)
        );
    }

    #[test]
    fn the_name_falls_back_to_other_claims() {
        for (claims, name) in [
            (json!({"name": "Alice Author", "given_name": "A"}), Some("Alice Author")),
            (
                json!({"name": " ", "given_name": "Alice", "family_name": "Author"}),
                Some("Alice Author"),
            ),
            (json!({"preferred_username": "alice"}), Some("alice")),
            (json!({"name": 7}), None),
        ] {
            assert_eq!(Profile::read(&object(claims)).name.as_deref(), name);
        }
    }
}
