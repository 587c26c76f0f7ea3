//! Subscribers of one object share its reads.

use std::{
    collections::HashSet,
    num::NonZeroU64,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture};
use traitql::{Coalesce, Ctx, Events, Id, Internal, OncePerKey, Viewer};
use waypost_api::role;
use waypost_domain::{
    change::{Changed, while_visible},
    workspace,
};

use crate::App;

static READS: AtomicU64 = AtomicU64::new(1);

/// Returns the number of reads of all tests of this process.
#[cfg(test)]
pub(crate) fn reads() -> u64 {
    READS.load(Ordering::Relaxed)
}

#[derive(Clone)]
struct Live<T> {
    object: T,
    members: Arc<HashSet<Id>>,
    version: NonZeroU64,
}

type Read<T> = Result<Option<Live<T>>, Internal>;

pub(crate) struct LiveReads<T> {
    /// The reads of new subscribers. They are not kept, because a new member of the workspace is no change.
    initial: Coalesce<Id, Read<T>>,
    /// The reads by object and number of the change.
    after_changes: OncePerKey<(Id, NonZeroU64), Read<T>>,
}

impl<T: Clone> Default for LiveReads<T> {
    fn default() -> Self {
        Self {
            initial: Coalesce::default(),
            after_changes: OncePerKey::default(),
        }
    }
}

impl<T> Clone for LiveReads<T> {
    fn clone(&self) -> Self {
        Self {
            initial: self.initial.clone(),
            after_changes: self.after_changes.clone(),
        }
    }
}

impl App {
    /// Returns the current state, and the state after each change, as long as the caller is a member of the workspace.
    pub(crate) fn live<T, F>(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        (reads, changed, id): (&LiveReads<T>, Changed, Id),
        min_interval: Duration,
        read: impl Fn(App, Id) -> BoxFuture<'static, Result<Option<T>, Internal>> + Copy + Send + 'static,
    ) -> Events<T, F>
    where
        T: Clone + Send + Sync + 'static,
        F: 'static,
    {
        let workspace_id = viewer.scope().clone();
        let what = [changed, Changed::Members(workspace_id.clone())];
        let changes = self.store.changes().subscribe(what, min_interval);
        let (app, reads, account, cx) = (self.clone(), reads.clone(), viewer.account.clone(), cx.clone());
        let states = changes.then(move |change| {
            let (app, id, workspace_id) = (app.clone(), id.clone(), workspace_id.clone());
            let (reads, account, cx) = (reads.clone(), account.clone(), cx.clone());
            async move {
                let key = id.clone();
                let load = move || {
                    async move {
                        let members = workspace::store::member_accounts(app.store.reader(), &workspace_id).await?;
                        let object = read(app.clone(), id).await?;
                        let members = Arc::new(members);
                        let version = READS.fetch_add(1, Ordering::Relaxed);
                        let version = NonZeroU64::new(version).ok_or_else(|| Internal::new("too many reads"))?;
                        Ok(object.map(|object| Live {
                            object,
                            members,
                            version,
                        }))
                    }
                    .boxed()
                };
                let live = match change {
                    None => reads.initial.run(key, load).await,
                    Some(number) => reads.after_changes.run((key, number), load).await,
                };
                let live = live.ok_or_else(|| Internal::new("a shared read panicked"))??;
                let live = live.filter(|live| live.members.contains(&account));
                Ok(live.map(|live| {
                    cx.share_event(live.version);
                    live.object
                }))
            }
        });
        while_visible(states)
    }
}
