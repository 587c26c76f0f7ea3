use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    common::{Server, person},
    story::{ADMIN, Story, ctx},
};

pub(crate) const NAMES: [&str; 7] = ["invite", "renew", "revoke", "accept", "leave", "demote", "promote"];

const GUESTS: [&str; 3] = ["nia", "noah", "nora"];
/// A second administrator, who is demoted and promoted. The first one, ada, always is an administrator.
const DEPUTY: &str = "abe";

#[derive(Clone, Copy, PartialEq)]
enum State {
    Pending,
    Accepted,
    Revoked,
}

struct Invited {
    id: Value,
    guest: &'static str,
    role: &'static str,
    by: &'static str,
    state: State,
    tokens: Vec<Value>,
}

pub(crate) struct Guests {
    invited: Vec<Invited>,
    roles: BTreeMap<&'static str, &'static str>,
    deputy: Value,
}

impl Guests {
    pub(crate) async fn begin(server: &Server, workspace: &Value) -> Self {
        for name in GUESTS {
            server.query(&person(name), "Viewer", json!({})).await;
        }
        let deputy = server.join(&ctx(ADMIN), workspace, DEPUTY, "ADMIN").await["id"].clone();
        Self {
            invited: Vec::new(),
            roles: BTreeMap::from([(DEPUTY, "ADMIN")]),
            deputy,
        }
    }

    fn is_pending(&self, guest: &str) -> bool {
        self.invited
            .iter()
            .any(|one| one.guest == guest && one.state == State::Pending)
    }

    fn expected_error(&self, by: &str) -> Option<&'static str> {
        (by == DEPUTY && self.roles[DEPUTY] != "ADMIN").then_some("FORBIDDEN")
    }
}

impl Story {
    pub(crate) async fn guest_action(&mut self) {
        match self.rng.usize(..21) {
            0..5 => self.invite().await,
            5..8 => self.renew().await,
            8..12 => self.revoke().await,
            12..16 => self.accept().await,
            16..19 => self.leave().await,
            _ => self.set_deputy().await,
        }
        self.check_guests().await;
    }

    fn random_admin(&mut self) -> &'static str {
        ["ada", DEPUTY][self.rng.usize(..2)]
    }

    async fn invite(&mut self) {
        let (by, guest, role) = (
            self.random_admin(),
            self.rng.choice(GUESTS).expect("not empty"),
            self.rng.choice(["VIEWER", "AUTHOR"]).expect("not empty"),
        );
        let guests = &self.guests;
        let expected = guests.expected_error(by).or(match () {
            () if guests.roles.contains_key(guest) => Some("ALREADY_MEMBER"),
            () if guests.is_pending(guest) => Some("ALREADY_INVITED"),
            () => None,
        });
        let input = json!({ "workspaceId": self.workspace, "email": format!("{guest}@example.com"), "role": role });
        let outcome = self
            .try_as(by, "InvitationCreate", json!({ "input": input }), expected, "invite")
            .await;
        if let Some(data) = outcome {
            let link = &data["invitationCreate"];
            self.guests.invited.push(Invited {
                id: link["invitation"]["id"].clone(),
                guest,
                role,
                by,
                state: State::Pending,
                tokens: vec![link["token"].clone()],
            });
        }
    }

    /// Returns the expected error of a change, too.
    fn random_invitation(&mut self, by: &str) -> Option<(usize, Option<&'static str>)> {
        let many = self.guests.invited.len();
        if many == 0 {
            return None;
        }
        let pending = self.guests.invited.iter().position(|one| one.state == State::Pending);
        let chosen = match pending {
            Some(pending) if self.rng.usize(..3) > 0 => pending,
            _ => self.rng.usize(..many),
        };
        let state = self.guests.invited[chosen].state;
        let ended = (state != State::Pending).then_some("ILLEGAL_TRANSITION");
        Some((chosen, self.guests.expected_error(by).or(ended)))
    }

    async fn renew(&mut self) {
        let by = self.random_admin();
        let Some((chosen, expected)) = self.random_invitation(by) else {
            return;
        };
        let variables = json!({ "id": self.guests.invited[chosen].id });
        let outcome = self.try_as(by, "InvitationRenew", variables, expected, "renew").await;
        if let Some(data) = outcome {
            let invited = &mut self.guests.invited[chosen];
            invited.tokens.push(data["invitationRenew"]["token"].clone());
            invited.by = by;
        }
    }

    async fn revoke(&mut self) {
        let by = self.random_admin();
        let Some((chosen, expected)) = self.random_invitation(by) else {
            return;
        };
        let variables = json!({ "id": self.guests.invited[chosen].id });
        let outcome = self.try_as(by, "InvitationRevoke", variables, expected, "revoke").await;
        if outcome.is_some() {
            self.guests.invited[chosen].state = State::Revoked;
        }
    }

    /// Accepts a link, in most cases with a valid one, sometimes on two devices concurrently.
    async fn accept(&mut self) {
        let Some((chosen, _)) = self.random_invitation("ada") else {
            return;
        };
        let invited = &self.guests.invited[chosen];
        let (token, is_latest) = match self.rng.usize(..4) {
            0 => (invited.tokens[0].clone(), invited.tokens.len() == 1),
            _ => (invited.tokens[invited.tokens.len() - 1].clone(), true),
        };
        let guest = if self.rng.usize(..4) == 0 {
            self.rng.choice(GUESTS).expect("not empty")
        } else {
            invited.guest
        };
        let expected = match invited.state {
            _ if !is_latest => Some("INVITATION_UNKNOWN"),
            State::Accepted => Some("INVITATION_USED"),
            State::Revoked => Some("INVITATION_REVOKED"),
            State::Pending if guest != invited.guest => Some("INVITATION_FOR_ANOTHER"),
            State::Pending => None,
        };
        let variables = json!({ "token": token });
        if expected.is_none() && self.rng.usize(..3) == 0 {
            let me = person(guest);
            let (one, other) = tokio::join!(
                self.server.execute(&me, "InvitationAccept", variables.clone()),
                self.server.execute(&me, "InvitationAccept", variables.clone()),
            );
            let mut codes = [one, other].map(|answer| answer.codes.first().map(|code| (*code).to_owned()));
            codes.sort();
            self.log.push(format!("{guest}: two concurrent accepts => {codes:?}"));
            assert_eq!(codes, [None, Some("INVITATION_USED".to_owned())], "{self}");
            self.entries += 1;
            *self.done.entry("accept").or_default() += 1;
        } else if self
            .try_as(guest, "InvitationAccept", variables, expected, "accept")
            .await
            .is_none()
        {
            return;
        }
        let invited = &mut self.guests.invited[chosen];
        invited.state = State::Accepted;
        self.guests.roles.insert(guest, invited.role);
    }

    async fn leave(&mut self) {
        let members: Vec<&str> = GUESTS
            .into_iter()
            .filter(|guest| self.guests.roles.contains_key(guest))
            .collect();
        let guest = if members.is_empty() || self.rng.usize(..4) == 0 {
            self.rng.choice(GUESTS).expect("not empty")
        } else {
            *self.rng.choice(&members).expect("not empty")
        };
        let expected = (!self.guests.roles.contains_key(guest)).then_some("NOT_FOUND");
        let variables = json!({ "workspaceId": self.workspace });
        if self
            .try_as(guest, "MemberLeave", variables, expected, "leave")
            .await
            .is_some()
        {
            self.guests.roles.remove(guest);
        }
    }

    /// Promotes or demotes the deputy. A demotion revokes the invitations of the deputy.
    async fn set_deputy(&mut self) {
        let (role, name) = match self.guests.roles[DEPUTY] {
            "ADMIN" => ("PUBLISHER", "demote"),
            _ => ("ADMIN", "promote"),
        };
        let variables = json!({ "id": self.guests.deputy, "role": role });
        self.try_as("ada", "MemberRoleSet", variables, None, name).await;
        self.guests.roles.insert(DEPUTY, role);
        if role != "ADMIN" {
            for one in &mut self.guests.invited {
                if one.by == DEPUTY && one.state == State::Pending {
                    one.state = State::Revoked;
                }
            }
        }
    }

    /// Returns `None` if the operation fails with the expected error. Otherwise expects one more audit entry.
    async fn try_as(
        &mut self,
        who: &str,
        operation: &str,
        variables: Value,
        expected: Option<&str>,
        name: &'static str,
    ) -> Option<Value> {
        let outcome = match expected {
            Some(expected) => {
                let refused = self.server.error_code(&person(who), operation, variables.clone()).await;
                self.log.push(format!("{who}: {name} {variables} => {refused}"));
                assert_eq!(refused, expected, "{self}");
                None
            }
            None => {
                self.log.push(format!("{who}: {name} {variables} => done"));
                let data = self.server.query(&person(who), operation, variables).await;
                self.entries += 1;
                *self.done.entry(name).or_default() += 1;
                Some(data)
            }
        };
        assert_eq!(self.audit().await.len(), self.entries, "{self}");
        outcome
    }

    async fn check_guests(&self) {
        let slug = json!({ "slug": "crew" });
        let members = self.server.query(&ctx(ADMIN), "Members", slug).await["workspace"]["members"].clone();
        let members = members.as_array().cloned().unwrap_or_default();
        let is_guest = |name: &str| GUESTS.contains(&name) || name == DEPUTY;
        let roles: BTreeMap<&str, &str> = members
            .iter()
            .filter_map(|member| Some((member["account"]["name"].as_str()?, member["role"].as_str()?)))
            .filter(|(name, _)| is_guest(name))
            .collect();
        assert_eq!(roles, self.guests.roles, "{self}");
        let variables = json!({ "workspaceId": self.workspace });
        let open = self.server.query(&ctx(ADMIN), "Invitations", variables).await["invitations"].clone();
        let open = open.as_array().cloned().unwrap_or_default();
        let mut listed: Vec<String> = open
            .iter()
            .map(|one| {
                format!(
                    "{} {} {} {}",
                    one["state"], one["email"], one["role"], one["by"]["name"]
                )
            })
            .collect();
        let pending = self.guests.invited.iter().filter(|one| one.state == State::Pending);
        let mut expected: Vec<String> = pending
            .map(|one| {
                let email = json!(format!("{}@example.com", one.guest));
                format!("{} {email} {} {}", json!("PENDING"), json!(one.role), json!(one.by))
            })
            .collect();
        listed.sort();
        expected.sort();
        assert_eq!(listed, expected, "{self}");
    }
}
