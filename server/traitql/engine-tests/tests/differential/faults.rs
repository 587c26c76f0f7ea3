/// Each fault can be switched off, so that a difference is reported with a minimal set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Faults(pub(crate) u8);

impl Faults {
    pub(crate) const NULLS: Self = Self(1);
    pub(crate) const PARENTS: Self = Self(2);
    pub(crate) const RESOLVERS: Self = Self(4);
    pub(crate) const PANICS: Self = Self(8);
    /// Non-finite floats, which JSON cannot represent.
    pub(crate) const FLOATS: Self = Self(16);
    /// Resolvers that return too few results.
    pub(crate) const SHORT: Self = Self(32);
    pub(crate) const DELAYS: Self = Self(64);
    pub(crate) const EVENTS: Self = Self(128);

    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(255);

    const NAMES: [(Self, &str); 8] = [
        (Self::NULLS, "nulls"),
        (Self::PARENTS, "parents"),
        (Self::RESOLVERS, "resolvers"),
        (Self::PANICS, "panics"),
        (Self::FLOATS, "floats"),
        (Self::SHORT, "short"),
        (Self::DELAYS, "delays"),
        (Self::EVENTS, "events"),
    ];

    pub(crate) fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }

    pub(crate) fn without(self, kind: Self) -> Self {
        Self(self.0 & !kind.0)
    }

    pub(crate) fn kinds(self) -> impl Iterator<Item = Self> {
        Self::NAMES
            .into_iter()
            .map(|(kind, _)| kind)
            .filter(move |kind| self.has(*kind))
    }

    pub(crate) fn names(self) -> String {
        let names = Self::NAMES.iter().filter(|(kind, _)| self.has(*kind));
        names.map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn named(names: &str) -> Self {
        let kind = |name: &str| {
            Self::NAMES
                .iter()
                .find(|(_, known)| *known == name)
                .map(|(kind, _)| kind.0)
        };
        let kinds = names
            .split_whitespace()
            .map(|name| kind(name).unwrap_or_else(|| panic!("unknown fault {name}")));
        Self(kinds.fold(0, |all, kind| all | kind))
    }
}
