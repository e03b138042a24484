/** Taking away all that the site keeps of one. */
import { t } from "../../i18n/i18n.js";
import { html } from "../view.js";
import { Section } from "./section.js";

class Export extends Section {
  render() {
    return this.card(
      t("My data"),
      html`<p class="small quiet">${t("Everything that is kept of you, as a ZIP file: account, matches with their records, ratings, notes, messages, reviews.")}</p>
      <div class="row"><a class="button" href="/api/v1/account/export" download="sheshbesh.zip">${t("Download my data")}</a></div>`,
    );
  }
}

customElements.define("ssb-export", Export);
