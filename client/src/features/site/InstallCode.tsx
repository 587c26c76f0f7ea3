import type { SiteCard_SiteFragment } from '../../generated/operations';
import { t } from '../../shared/i18n/en/site';
import { t as ui } from '../../shared/i18n/en/ui';
import { Code, CodeWithCopy } from '../../shared/ui/Code';
import { CopyButton } from '../../shared/ui/CopyButton';
import { developerMessage, installCode, type EmbedScript } from './install-texts';

export function InstallCode({ site, embed }: { site: SiteCard_SiteFragment; embed: EmbedScript }) {
  const code = installCode(embed, site.key);
  return (
    <div className="grid gap-3">
      <p className="text-sm">{t.install.script}</p>
      <Code>{code.script}</Code>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={code.script} label={t.install.copy} variant="primary" />
        <CopyButton text={developerMessage(code, site)} label={t.install.send} />
      </div>
      <details className="text-sm">
        <summary className="py-1 font-medium">{t.install.more}</summary>
        <dl className="mt-2 grid gap-3">
          <Variant title={t.install.policy} code={code.policy} />
          <Variant title={t.install.nonce} code={code.nonce} />
          <Variant title={t.install.tag} code={code.tag} />
          <Variant title={t.install.pinned} code={code.pinned} />
        </dl>
      </details>
    </div>
  );
}

function Variant({ title, code }: { title: string; code: string }) {
  return (
    <div className="grid gap-1.5">
      <dt className="text-muted">{title}</dt>
      <dd>
        <CodeWithCopy code={code} label={ui.copy} />
      </dd>
    </div>
  );
}
