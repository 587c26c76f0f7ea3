//! Who a token speaks for, read from claims of many dialects.

use serde_json::{Map, Value};

/// A person whose token was checked. Issuer and subject together name them; nothing else does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Issuer of the token.
    pub issuer: String,
    /// The person at that issuer.
    pub subject: String,
    /// What the provider tells about the person.
    pub profile: Profile,
    /// Roles and groups, as the provider spells them; sorted, each once.
    pub roles: Vec<String>,
    /// Whether there are no other roles than these. False when the provider could not be asked for them, or left them out
    /// because there are too many.
    pub roles_known: bool,
    /// When the token was made, in seconds since 1970, if it says so.
    pub issued_at: Option<u64>,
    /// Scopes of the token.
    pub scopes: Vec<String>,
    /// When the token ends, in seconds since 1970. Where the provider does not tell: when it has to be asked again.
    pub expires_at: u64,
    /// How the token was checked.
    pub source: Source,
}

/// How a token was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// By its signature.
    Signature,
    /// By introspection.
    Introspection,
    /// By the userinfo endpoint.
    Userinfo,
}

/// Standard claims about a person (OpenID Connect Core 1.0, section 5.1). For showing, never for recognising anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Name to show.
    pub name: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Whether the provider vouches for the address.
    pub email_verified: bool,
    /// Address of a picture.
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
        let joined = || {
            let parts: Vec<_> = [text("given_name"), text("family_name")]
                .into_iter()
                .flatten()
                .collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        };
        Self {
            name: text("name")
                .map(str::to_owned)
                .or_else(joined)
                .or_else(|| text("preferred_username").map(str::to_owned)),
            email: text("email").map(str::to_owned),
            // Some providers write the word instead of the JSON value.
            email_verified: matches!(claims.get("email_verified"), Some(Value::Bool(true)))
                || text("email_verified") == Some("true"),
            picture: text("picture").map(str::to_owned),
        }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.name.is_some() && self.email.is_some() && self.picture.is_some()
    }

    /// Fills what is missing. An address is taken together with its verification, or not at all.
    pub(crate) fn fill_from(&mut self, other: Self) {
        if self.email.is_none() {
            self.email = other.email;
            self.email_verified = other.email_verified;
        }
        self.name = self.name.take().or(other.name);
        self.picture = self.picture.take().or(other.picture);
    }
}

/// Scopes: a list separated by spaces in `scope` (RFC 9068), or `scp`, or an array in either.
pub(crate) fn scopes(claims: &Map<String, Value>) -> Vec<String> {
    match claims.get("scope").or_else(|| claims.get("scp")) {
        Some(Value::String(list)) => list.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Roles at any of the places: arrays, or texts split at commas, semicolons and spaces.
pub(crate) fn roles(claims: &Map<String, Value>, places: &[String]) -> Vec<String> {
    let mut roles: Vec<String> = places
        .iter()
        .filter_map(|place| find(claims, place))
        .flat_map(words)
        .collect();
    roles.sort();
    roles.dedup();
    roles
}

/// Whether roles were left out: Entra ID then names a place to ask at instead (its "groups overage").
pub(crate) fn leaves_roles_out(claims: &Map<String, Value>) -> bool {
    claims.get("hasgroups") == Some(&Value::Bool(true))
        || claims
            .get("_claim_names")
            .and_then(Value::as_object)
            .is_some_and(|names| names.contains_key("groups") || names.contains_key("roles"))
}

/// A place is a JSON pointer, or the plain name of a claim; names may be URLs (Auth0's namespaced claims).
fn find<'c>(claims: &'c Map<String, Value>, place: &str) -> Option<&'c Value> {
    let Some(path) = place.strip_prefix('/') else {
        return claims.get(place);
    };
    let (first, rest) = match path.find('/') {
        Some(end) => path.split_at(end),
        None => (path, ""),
    };
    claims.get(&first.replace("~1", "/").replace("~0", "~"))?.pointer(rest)
}

fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        // Zitadel: roles are the names of an object, whose values are the organisations that granted them.
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
    fn roles_are_found_in_every_dialect() {
        for (claims, place) in [
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
                roles(&object(claims.clone()), &[place.to_owned()]),
                ["admin", "author"],
                "{claims} {place}"
            );
        }
        assert!(roles(&object(json!({"roles": {"admin": true}})), &["/roles".to_owned()]).is_empty());
    }

    #[test]
    fn an_address_keeps_its_own_verification() {
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
    fn a_name_is_made_of_what_there_is() {
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
