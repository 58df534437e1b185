package dev.zarrreactive.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.junit.jupiter.api.Test;

class DocumentTranslatorTest {
  private static final LocatedJson ENTRY_POINT =
      LocatedJson.of(
          JsonObject.EMPTY
              .with("zarr_format", "https://purl.org/zarr/spec/core/3.0")
              .with("metadata_encoding", "json"));

  /** Has every class, and no file that names a service. */
  private static final class WithoutServices extends ClassLoader {
    WithoutServices() {
      super(DocumentTranslator.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) {
      return Collections.emptyEnumeration();
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      return InputStream.nullInputStream();
    }
  }

  @Test
  void the_translator_of_drafts_is_found_by_its_service() {
    DocumentTranslator found = DocumentTranslator.find(DocumentTranslator.class.getClassLoader());
    assertThat(found).isNotSameAs(DocumentTranslator.NONE);
    assertThat(found.isEntryPoint(ENTRY_POINT)).isTrue();
  }

  @Test
  void without_a_translator_no_document_is_of_a_draft() {
    DocumentTranslator found = DocumentTranslator.find(new WithoutServices());
    assertThat(found).isSameAs(DocumentTranslator.NONE);
    assertThat(found.isEntryPoint(ENTRY_POINT)).isFalse();
  }
}
