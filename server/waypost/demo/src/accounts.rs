use serde_json::{Value, json};

/// An account for each role of the sample workspace.
#[derive(Debug)]
pub(crate) struct Account {
    /// The subject of its tokens.
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) role: &'static str,
}

pub(crate) const ACCOUNTS: [Account; 4] = [
    Account {
        id: "admin",
        name: "Ada Admin",
        role: "ADMIN",
    },
    Account {
        id: "publisher",
        name: "Pia Publisher",
        role: "PUBLISHER",
    },
    Account {
        id: "author",
        name: "Otto Author",
        role: "AUTHOR",
    },
    Account {
        id: "viewer",
        name: "Vera Viewer",
        role: "VIEWER",
    },
];

impl Account {
    pub(crate) fn find(id: &str) -> Option<&'static Self> {
        ACCOUNTS.iter().find(|account| account.id == id)
    }

    /// Returns its claims, which are the same in ID tokens, access tokens and userinfo.
    pub(crate) fn claims(&self) -> Value {
        json!({
            "sub": self.id,
            "name": self.name,
            "preferred_username": self.id,
            "email": format!("{}@waypost.example", self.id),
            "email_verified": true,
            "roles": [self.role],
        })
    }
}
