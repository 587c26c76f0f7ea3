use traitql::{Id, Internal};

use crate::store::{Conn, sql};

pub(crate) async fn mark(conn: &mut Conn, workspace_id: &Id) -> Result<(), Internal> {
    sql("update workspaces set sample = 1 where id = ?")
        .bind(workspace_id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}
