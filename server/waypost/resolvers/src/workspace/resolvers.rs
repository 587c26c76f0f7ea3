use traitql::{Batch, Ctx, Id, Many, One, SignedIn, Throws, Viewer};
use waypost_api::{
    Member, Retention, RetentionInput, RetentionPreview, Role, Segment, Site, Theme, ThemeInput, Workspace,
    WorkspaceCreateInput, audit, errors, field, resolve, role,
};
use waypost_domain::{
    audit::Entry,
    retention, segment, site,
    store::{ForChange, OnConstraint},
    theme,
    workspace::{NewWorkspace, deletion, seed_workspace, store},
};

use crate::App;

impl resolve::QueryWorkspace for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        slug: String,
    ) -> Result<Option<Workspace>, Throws<field::QueryWorkspace>> {
        Ok(store::by_slug(self.store.reader(), &slug).await?)
    }
}

impl resolve::MutationWorkspaceCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<SignedIn>,
        input: WorkspaceCreateInput,
    ) -> Result<Workspace, Throws<field::MutationWorkspaceCreate>> {
        if !self.may_create_workspaces(&viewer.account).await? {
            return Err(errors::WorkspaceCreationRestricted {}.into());
        }
        let mut tx = self.store.write(audit::WORKSPACE_CREATE, &viewer.account).await?;
        let new = NewWorkspace {
            slug: &input.slug,
            name: &input.name,
            creator: &viewer.account,
            default_theme: ThemeInput::new("Default".to_owned()),
            own_origin: &self.own_origin(),
            now: tx.now(),
        };
        let id = store::insert(tx.conn(), &new)
            .await
            .on_constraint(&store::SLUG_KEY, || errors::WorkspaceSlugTaken {
                slug: input.slug.clone(),
            })?;
        store::member_insert(tx.conn(), &id, &viewer.account, Role::Admin, new.now)
            .await
            .map_err(traitql::Internal::from)?;
        seed_workspace(tx.conn(), &id, new).await?;
        let workspace = store::for_change(tx.conn(), &id).await?.row;
        let entry = Entry::on(&id, &workspace.name).added("slug", &workspace.slug);
        tx.commit(entry).await?;
        Ok(workspace)
    }
}

impl resolve::MutationWorkspaceRename for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        expected_version: i32,
        name: String,
    ) -> Result<Workspace, Throws<field::MutationWorkspaceRename>> {
        let mut tx = self.store.write(audit::WORKSPACE_RENAME, &viewer.account).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = store::for_change(tx.conn(), &id).await?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = Workspace {
            name,
            version: before.version + 1,
            ..before.clone()
        };
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.commit(Entry::on(&id, &before.name).changed("name", &before.name, &after.name))
            .await?;
        Ok(after)
    }
}

impl resolve::MutationWorkspaceReviewSet for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        expected_version: i32,
        require_review: bool,
    ) -> Result<Workspace, Throws<field::MutationWorkspaceReviewSet>> {
        let mut tx = self.store.write(audit::WORKSPACE_REVIEW_SET, &viewer.account).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = store::for_change(tx.conn(), &id).await?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = Workspace {
            require_review,
            version: before.version + 1,
            ..before.clone()
        };
        store::update(tx.conn(), &after, &viewer.account).await?;
        let entry = Entry::on(&id, &before.name);
        tx.commit(entry.changed("reviewRequired", &before.require_review, &after.require_review))
            .await?;
        Ok(after)
    }
}

impl resolve::QueryRetentionPreview for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Admin>,
        workspace_id: Id,
        input: RetentionInput,
    ) -> Result<RetentionPreview, Throws<field::QueryRetentionPreview>> {
        let mut tx = self.store.read().await?;
        let retention = retention_of(&input);
        Ok(retention::store::preview(&mut tx, &workspace_id, &retention, self.now()).await?)
    }
}

fn retention_of(input: &RetentionInput) -> Retention {
    Retention {
        visitor_days: input.visitor_days,
        run_days: input.run_days,
        audit_days: input.audit_days,
    }
}

impl resolve::MutationWorkspaceRetentionSet for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        expected_version: i32,
        input: RetentionInput,
    ) -> Result<Workspace, Throws<field::MutationWorkspaceRetentionSet>> {
        let mut tx = self
            .store
            .write(audit::WORKSPACE_RETENTION_SET, &viewer.account)
            .await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = store::for_change(tx.conn(), &id).await?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = Workspace {
            retention: retention_of(&input),
            version: before.version + 1,
            ..before.clone()
        };
        store::update(tx.conn(), &after, &viewer.account).await?;
        let (old, new) = (&before.retention, &after.retention);
        let entry = Entry::on(&id, &before.name)
            .changed("visitorDays", &old.visitor_days, &new.visitor_days)
            .changed("runDays", &old.run_days, &new.run_days)
            .changed("auditDays", &old.audit_days, &new.audit_days);
        tx.commit(entry).await?;
        Ok(after)
    }
}

impl resolve::MutationWorkspaceDelete for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        name: String,
    ) -> Result<Id, Throws<field::MutationWorkspaceDelete>> {
        let mut tx = self.store.save().await?;
        let workspace = store::current(tx.conn(), &id).await?.ok_or_else(|| errors::NotFound {
            thing: "workspace".to_owned(),
        })?;
        if name.trim() != workspace.name.trim() {
            return Err(errors::WorkspaceNameDiffers { name: workspace.name }.into());
        }
        let now = tx.now;
        for change in deletion::delete(tx.conn(), &id, &viewer.account, &self.own_origin(), now).await? {
            tx.touch(change);
        }
        tx.commit().await?;
        // The audit log of the workspace is gone, so the server's log is the only record.
        tracing::warn!(
            workspace = %id, slug = workspace.slug, name = workspace.name, account = %viewer.account,
            "a workspace was deleted"
        );
        Ok(id)
    }
}

impl resolve::WorkspaceMyRole for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        workspaces: Batch<'b, Workspace>,
    ) -> Result<One<'b, Role>, Throws<field::WorkspaceMyRole>> {
        let roles = match cx.principal() {
            Some(principal) => store::roles(self.store.reader(), principal, &workspaces.keys(|w| w.id.clone())).await?,
            None => Vec::new(),
        };
        Ok(workspaces
            .join(roles, |(id, _)| id.clone(), |w| w.id.clone())
            .map_rows(|(_, role)| role))
    }
}

impl resolve::WorkspaceSites for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        workspaces: Batch<'b, Workspace>,
    ) -> Result<Many<'b, Site>, Throws<field::WorkspaceSites>> {
        let sites = site::store::of_workspaces(self.store.reader(), &workspaces.keys(|w| w.id.clone())).await?;
        Ok(workspaces.group(sites, |site| site.workspace_id.clone(), |w| w.id.clone()))
    }
}

impl resolve::WorkspaceThemes for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        workspaces: Batch<'b, Workspace>,
    ) -> Result<Many<'b, Theme>, Throws<field::WorkspaceThemes>> {
        let themes = theme::store::of_workspaces(self.store.reader(), &workspaces.keys(|w| w.id.clone())).await?;
        Ok(workspaces.group(themes, |theme| theme.workspace_id.clone(), |w| w.id.clone()))
    }
}

impl resolve::WorkspaceSegments for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        workspaces: Batch<'b, Workspace>,
    ) -> Result<Many<'b, Segment>, Throws<field::WorkspaceSegments>> {
        let ids = workspaces.keys(|w| w.id.clone());
        let segments = segment::store::of_workspaces(self.store.reader(), &ids).await?;
        Ok(workspaces.group(segments, |segment| segment.workspace_id.clone(), |w| w.id.clone()))
    }
}

impl resolve::WorkspaceMembers for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        workspaces: Batch<'b, Workspace>,
        first: i32,
    ) -> Result<Many<'b, Member>, Throws<field::WorkspaceMembers>> {
        let members =
            store::members_of_workspaces(self.store.reader(), &workspaces.keys(|w| w.id.clone()), first).await?;
        Ok(workspaces.group(members, |member| member.workspace_id.clone(), |w| w.id.clone()))
    }
}
