package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of bundles accepts a whole one and names each fault of the others. */
class BundleCheckTest {
  private static final String GROUP = "dev/zarrreactive/";
  private static final String BASE = GROUP + "zarr-reactive-base/1.2.3/zarr-reactive-base-1.2.3";
  private static final String PARENT =
      GROUP + "zarr-reactive-parent/1.2.3/zarr-reactive-parent-1.2.3.pom";
  private static final String BOM = GROUP + "zarr-reactive-bom/1.2.3/zarr-reactive-bom-1.2.3.pom";

  private static final String SIGNS =
      "<url>${zarr.home}</url>"
          + "<licenses><license><name>Apache-2.0</name><url>https://a.example</url></license>"
          + "</licenses><developers><developer><name>D</name><organization>O</organization>"
          + "</developer></developers><scm><connection>scm:git:${zarr.home}</connection>"
          + "<developerConnection>scm:git:${zarr.home}</developerConnection>"
          + "<url>${zarr.home}</url></scm><properties><zarr.home>https://home.example/z</zarr.home>"
          + "<project.build.outputTimestamp>2026-01-02T00:00:00Z</project.build.outputTimestamp>"
          + "</properties>";

  @TempDir static Path classes;

  private static Method check;

  @TempDir Path work;

  private final Map<String, byte[]> files = new TreeMap<>();

  @BeforeAll
  static void compile() throws Exception {
    Path source = Pages.ROOT.resolve("release/CheckBundle.java");
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "--release", "17", "-d", classes.toString(), source.toString());
    assertThat(result).isZero();
    URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
    check = loader.loadClass("CheckBundle").getMethod("faultsOf", Path.class, boolean.class);
  }

  @BeforeEach
  void aWholeBundle() throws IOException {
    text(PARENT, pom("zarr-reactive-parent", "<packaging>pom</packaging>" + SIGNS, true));
    text(BASE + ".pom", pom("zarr-reactive-base", "", false));
    text(
        BOM,
        pom("zarr-reactive-bom", "<packaging>pom</packaging>" + SIGNS + managed("base"), true));
    jar(BASE + ".jar", 2, "META-INF/LICENSE", "META-INF/NOTICE", "A.class");
    jar(BASE + "-sources.jar", 2, "A.java");
    jar(BASE + "-javadoc.jar", 2, "index.html");
    text(
        BASE + "-cyclonedx.json",
        "{\"bomFormat\": \"CycloneDX\", \"x\": \"pkg:maven/dev.zarrreactive/zarr-reactive-base@1.2.3\"}");
  }

  @Test
  void a_whole_bundle_has_no_fault() throws Exception {
    assertThat(faults()).isEmpty();
  }

  @Test
  void what_a_pom_must_say_is_missed() throws Exception {
    for (String element :
        List.of("url", "licenses", "developers", "scm", "connection", "developerConnection")) {
      aWholeBundle();
      text(
          PARENT,
          pom("zarr-reactive-parent", "<packaging>pom</packaging>" + without(element), true));
      assertThat(faults()).as(element).anyMatch(fault -> fault.startsWith(BASE + ".pom has no "));
    }
  }

  @Test
  void a_name_and_a_description_are_of_each_artifact() throws Exception {
    String whole = pom("zarr-reactive-base", "", false);
    text(BASE + ".pom", whole.replaceAll("<name>.*</name>", ""));
    assertThat(faults()).containsExactly(BASE + ".pom has no name");
    text(BASE + ".pom", whole.replaceAll("<description>.*</description>", ""));
    assertThat(faults()).containsExactly(BASE + ".pom has no description");
  }

  @Test
  void the_placeholder_of_the_address_is_refused() throws Exception {
    for (String pom : List.of(PARENT, BOM)) {
      text(pom, string(pom).replace("home.example", "placeholder.invalid"));
    }
    assertThat(faults())
        .contains(BASE + ".pom has https://placeholder.invalid/z as its url")
        .allMatch(fault -> fault.contains("placeholder.invalid"));
  }

  @Test
  void an_address_of_a_rehearsal_is_not_published() throws Exception {
    for (String pom : List.of(PARENT, BOM)) {
      text(pom, string(pom).replace("home.example", "rehearsal.example.org"));
    }
    assertThat(faults()).isEmpty();
    assertThat(faults(true)).contains(BASE + ".pom has https://rehearsal.example.org/z as its url");
  }

  @Test
  void two_addresses_of_one_project_are_found() throws Exception {
    text(BOM, string(BOM).replace("home.example", "other.example"));
    assertThat(faults())
        .containsExactly(
            "the poms name several addresses of the project:"
                + " [https://home.example/z, https://other.example/z]");
  }

  @Test
  void a_jar_that_is_missing_is_found() throws Exception {
    for (String end : List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json")) {
      aWholeBundle();
      files.remove(BASE + end);
      assertThat(faults()).containsExactly(BASE + end + " is missing");
    }
  }

  @Test
  void a_jar_without_what_it_must_hold_is_found() throws Exception {
    jar(BASE + ".jar", 2, "META-INF/LICENSE", "A.class");
    assertThat(faults()).containsExactly(BASE + ".jar has no META-INF/NOTICE");
    aWholeBundle();
    jar(BASE + "-sources.jar", 2, "A.class");
    assertThat(faults()).containsExactly(BASE + "-sources.jar has no file *.java");
    aWholeBundle();
    jar(BASE + "-javadoc.jar", 2);
    assertThat(faults()).contains(BASE + "-javadoc.jar has no index.html");
  }

  @Test
  void sources_of_a_jar_without_classes_need_no_java_file() throws Exception {
    jar(BASE + ".jar", 2, "META-INF/LICENSE", "META-INF/NOTICE");
    jar(BASE + "-sources.jar", 2, "META-INF/LICENSE");
    assertThat(faults()).isEmpty();
    jar(BASE + "-sources.jar", 2);
    assertThat(faults()).containsExactly(BASE + "-sources.jar is empty");
  }

  @Test
  void an_entry_of_the_hour_of_the_build_is_found() throws Exception {
    jar(BASE + "-javadoc.jar", 3, "index.html");
    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith(BASE + "-javadoc.jar has an entry of 2026-01-03T00:00");
  }

  @Test
  void checksums_must_be_there_and_right() throws Exception {
    Map<String, byte[]> bundle = withChecksums();
    bundle.remove(BASE + ".jar.sha256");
    bundle.put(BASE + ".pom.md5", bytes("00000000000000000000000000000000"));
    assertThat(faults(bundle, false))
        .containsExactlyInAnyOrder(
            BASE + ".jar has no .sha256", BASE + ".pom has another MD5 than its .md5 says");
  }

  @Test
  void a_bundle_that_is_signed_in_part_is_found() throws Exception {
    files.put(BASE + ".jar.asc", bytes("a signature"));
    assertThat(faults())
        .contains(PARENT + " has no signature, and others have one")
        .noneMatch(fault -> fault.startsWith(BASE + ".jar "));
  }

  @Test
  void a_file_that_lies_elsewhere_is_found() throws Exception {
    text(GROUP + "zarr-reactive-base/maven-metadata.xml", "<metadata/>");
    text("org/other/a/1/a-1.pom", "<project/>");
    files.put(GROUP + "zarr-reactive-base/1.2.3/zarr-reactive-base-1.2.4.jar.asc", bytes("s"));
    assertThat(faults())
        .anyMatch(fault -> fault.contains("maven-metadata.xml is not at GROUP/ARTIFACT"))
        .contains("org/other/a/1/a-1.pom is of another group than dev.zarrreactive")
        .anyMatch(fault -> fault.contains("zarr-reactive-base-1.2.4.jar.asc is not at"));
  }

  @Test
  void snapshots_are_refused() throws Exception {
    Map<String, byte[]> snapshots = new TreeMap<>();
    files.forEach(
        (name, bytes) ->
            snapshots.put(
                name.replace("1.2.3", "1.2.3-SNAPSHOT"),
                name.endsWith(".pom")
                    ? bytes(
                        new String(bytes, StandardCharsets.UTF_8)
                            .replace("1.2.3", "1.2.3-SNAPSHOT"))
                    : bytes));
    files.clear();
    files.putAll(snapshots);
    assertThat(faults()).anyMatch(fault -> fault.endsWith("is a snapshot, which Central refuses"));
  }

  @Test
  void a_pom_of_other_coordinates_than_its_place_is_found() throws Exception {
    text(
        BASE + ".pom", string(BASE + ".pom").replace("zarr-reactive-base<", "zarr-reactive-bass<"));
    assertThat(faults())
        .contains(
            BASE + ".pom has artifactId zarr-reactive-bass, where zarr-reactive-base is expected");
  }

  @Test
  void what_is_not_in_the_bundle_cannot_be_needed() throws Exception {
    text(
        BASE + ".pom",
        pom(
            "zarr-reactive-base",
            "<dependencies>"
                + dependency("faults", "")
                + dependency("testing", "test")
                + "</dependencies>",
            false));
    assertThat(faults())
        .containsExactly(
            BASE + ".pom needs zarr-reactive-faults, a dependency, which is not in the bundle");
    aWholeBundle();
    files.remove(PARENT);
    assertThat(faults())
        .contains(BASE + ".pom needs zarr-reactive-parent, its parent, which is not in the bundle");
  }

  @Test
  void the_bom_names_what_is_there_and_nothing_else() throws Exception {
    text(
        BOM,
        pom("zarr-reactive-bom", "<packaging>pom</packaging>" + SIGNS + managed("store"), true));
    assertThat(faults())
        .containsExactly(
            "zarr-reactive-bom lacks [zarr-reactive-base] and names [zarr-reactive-store] in vain");
    files.remove(BOM);
    assertThat(faults()).containsExactly("there is no zarr-reactive-bom");
  }

  // ---- a bundle ----

  private static String pom(String artifact, String more, boolean isAlone) {
    String coordinates =
        isAlone
            ? "<groupId>dev.zarrreactive</groupId><version>1.2.3</version>"
            : "<parent><groupId>dev.zarrreactive</groupId>"
                + "<artifactId>zarr-reactive-parent</artifactId><version>1.2.3</version></parent>";
    return "<project><modelVersion>4.0.0</modelVersion>"
        + coordinates
        + ("<artifactId>" + artifact + "</artifactId>")
        + ("<name>" + artifact + "</name><description>What it is.</description>")
        + more
        + "</project>";
  }

  private static String managed(String module) {
    return "<dependencyManagement><dependencies>"
        + dependency(module, "")
        + "</dependencies></dependencyManagement>";
  }

  private static String dependency(String module, String scope) {
    return "<dependency><groupId>dev.zarrreactive</groupId><artifactId>zarr-reactive-"
        + module
        + "</artifactId><version>1.2.3</version>"
        + (scope.isEmpty() ? "" : "<scope>" + scope + "</scope>")
        + "</dependency>";
  }

  private static String without(String element) {
    return SIGNS.replaceAll("<" + element + ">.*?</" + element + ">", "");
  }

  private void text(String name, String text) {
    files.put(name, bytes(text));
  }

  private String string(String name) {
    return new String(files.get(name), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void jar(String name, int day, String... entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String entry : entries) {
        ZipEntry made = new ZipEntry(entry);
        made.setTimeLocal(LocalDateTime.of(2026, 1, day, 0, 0));
        zip.putNextEntry(made);
      }
    }
    files.put(name, bytes.toByteArray());
  }

  private Map<String, byte[]> withChecksums() throws Exception {
    Map<String, byte[]> bundle = new TreeMap<>(files);
    Map<String, String> sums =
        Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (!file.getKey().endsWith(".asc")) {
        for (Map.Entry<String, String> sum : sums.entrySet()) {
          byte[] digest = MessageDigest.getInstance(sum.getValue()).digest(file.getValue());
          bundle.put(file.getKey() + "." + sum.getKey(), bytes(HexFormat.of().formatHex(digest)));
        }
      }
    }
    return bundle;
  }

  private List<String> faults() throws Exception {
    return faults(false);
  }

  private List<String> faults(boolean isToPublish) throws Exception {
    return faults(withChecksums(), isToPublish);
  }

  @SuppressWarnings("unchecked")
  private List<String> faults(Map<String, byte[]> bundle, boolean isToPublish) throws Exception {
    Path zip = work.resolve("bundle.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (Map.Entry<String, byte[]> file : bundle.entrySet()) {
        out.putNextEntry(new ZipEntry(file.getKey()));
        out.write(file.getValue());
      }
    }
    return (List<String>) check.invoke(null, zip, isToPublish);
  }
}
