package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The versions in the page, as an installed Chromium shows it; skipped where there is none. */
@Slow
class VersionsInBrowserTest {
  private static Browser browser;

  @BeforeAll
  static void start(@TempDir(cleanup = CleanupMode.NEVER) Path profile) throws IOException {
    browser = Browser.start(profile);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private static Serving serving() {
    TestVersions versions = new TestVersions();
    versions.tag("v 1", versions.commit("main", "one"));
    versions.commit("main", "two");
    return new Serving(null, plain -> ZarrServer.of(versions).port(0).path("/data"));
  }

  private static void untilShown(Browser.Tab tab, String version, String id) {
    eventually("version " + version, () -> shown(tab).startsWith(version + ": " + id + " · "));
  }

  /** Returns the version that the page shows; empty while the browser goes to another page. */
  private static String shown(Browser.Tab tab) {
    try {
      return tab.text(
          "document.getElementById('version')?.selectedOptions[0]?.textContent + ': '"
              + " + document.getElementById('snapshot')?.textContent");
    } catch (AssertionError e) {
      return "";
    }
  }

  @Test
  void the_page_shows_the_version_and_another_can_be_chosen() {
    try (Serving serving = serving();
        Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/")) {
      untilShown(tab, "main", "S1");
      assertThat(tab.text("document.body.dataset.version"))
          .as("a link that is copied stays at the snapshot")
          .isEqualTo(serving.server.uri() + "/__versions/S1/api/");
      assertThat(tab.text("document.getElementById('snapshot').textContent"))
          .isEqualTo("S1 · 2026-01-01 00:00:01 · <b>two</b>");
      assertThat(
              tab.text("[...document.querySelectorAll('#version option')].map(o => o.text).join()"))
          .isEqualTo("main,v 1");
      tab.value("version.value = [...version.options].at(-1).value; version.onchange()");
      untilShown(tab, "v 1", "S0");
      assertThat(tab.text("location.href"))
          .isEqualTo(serving.server.uri() + "/__versions/tag.v%201/api/#/");
      tab.until("document.querySelectorAll('#tree a').length > 0");
      assertThat(tab.text("document.querySelector('#tree a').href"))
          .as("the links of the page keep the version")
          .startsWith(serving.server.uri() + "/__versions/tag.v%201/api/#/");
    }
  }

  @Test
  void the_history_leads_to_each_snapshot() {
    try (Serving serving = serving();
        Browser.Tab tab = browser.open(serving.server.uri() + "/__versions/branch.main/api/#/")) {
      untilShown(tab, "main", "S1");
      tab.value("document.querySelectorAll('#history a')[1].click()");
      untilShown(tab, "S0", "S0");
      assertThat(tab.text("location.href"))
          .isEqualTo(serving.server.uri() + "/__versions/S0/api/#/");
      assertThat(tab.html()).contains("&lt;b&gt;one").doesNotContain("<b>one");
    }
  }
}
