import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a bundle against the rules of Maven Central, and against those of this project: {@code
 * java release/CheckBundle.java [--to-publish] BUNDLE.zip [KEY.asc]}. It prints every fault and
 * fails if there is one. What is to be published must be signed, and is no rehearsal.
 */
public final class CheckBundle {
  private static final String GROUP = "dev.zarrreactive";
  private static final Map<String, String> CHECKSUMS =
      Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
  private static final Pattern PLACE =
      Pattern.compile("((?:[^/]+/)+)([^/]+)/([^/]+)/(\\2-\\3(?:-[a-z0-9]+)?\\.[a-z0-9]+)");
  private static final long LARGEST = 1L << 30;

  private final Map<String, byte[]> files;
  private final boolean isToPublish;
  private final Map<String, Element> poms = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private LocalDateTime timestamp = LocalDateTime.MAX;

  private CheckBundle(Map<String, byte[]> files, boolean isToPublish) {
    this.files = files;
    this.isToPublish = isToPublish;
  }

  public static void main(String[] words) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(words));
    boolean isToPublish = arguments.remove("--to-publish");
    if (arguments.isEmpty() || arguments.size() > 2) {
      System.err.println(
          "usage: java release/CheckBundle.java [--to-publish] BUNDLE.zip [KEY.asc]");
      System.exit(2);
    }
    Path bundle = Path.of(arguments.get(0));
    List<String> faults = faultsOf(bundle, isToPublish);
    boolean isSigned = signatures(bundle) > 0;
    if (!isSigned && isToPublish) {
      faults.add("nothing is signed");
    } else if (!isSigned) {
      System.out.println("check: the bundle is not signed, so no signature is checked");
    } else if (arguments.size() == 1) {
      System.out.println("check: no key is given, so signatures are there but not verified");
    } else if (!hasGpg()) {
      System.out.println("check: there is no gpg, so signatures are there but not verified");
    } else {
      faults.addAll(wrongSignatures(bundle, Path.of(arguments.get(1))));
    }
    faults.forEach(fault -> System.out.println("check: " + fault));
    if (!faults.isEmpty()) {
      System.out.println("check: " + bundle + " has " + faults.size() + " faults");
      System.exit(1);
    }
    System.out.println("check: " + bundle + " keeps every rule");
  }

  /** Returns a sentence for each fault of a bundle, but for signatures that do not belong. */
  public static List<String> faultsOf(Path bundle, boolean isToPublish) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    List<String> twice = new ArrayList<>();
    try (ZipFile zip = new ZipFile(bundle.toFile())) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        if (!entry.isDirectory()
            && files.put(entry.getName(), zip.getInputStream(entry).readAllBytes()) != null) {
          twice.add(entry.getName() + " is there twice");
        }
      }
    }
    CheckBundle check = new CheckBundle(files, isToPublish);
    check.faults.addAll(twice);
    if (Files.size(bundle) > LARGEST) {
      check.faults.add("the bundle is larger than the 1 GiB that the Portal takes");
    }
    if (files.isEmpty()) {
      check.faults.add("the bundle is empty");
    }
    check.layout();
    check.checksums();
    check.artifacts();
    check.bom();
    return check.faults;
  }

  // ---- files ----

  private void layout() {
    for (String name : files.keySet()) {
      String plain = withoutCompanion(name);
      Matcher place = PLACE.matcher(plain);
      if (!place.matches()) {
        fault(name, "is not at GROUP/ARTIFACT/VERSION/ARTIFACT-VERSION[-CLASSIFIER].EXTENSION");
        continue;
      }
      if (!place.group(1).equals(GROUP.replace('.', '/') + "/")) {
        fault(name, "is of another group than " + GROUP);
      }
      if (place.group(3).endsWith("-SNAPSHOT")) {
        fault(name, "is a snapshot, which Central refuses");
      }
      if (!plain.equals(name) && !files.containsKey(plain)) {
        fault(name, "belongs to a file that is not there");
      }
      if (plain.endsWith(".pom") && plain.equals(name)) {
        try {
          poms.put(place.group(2), xml(files.get(name)));
        } catch (IOException e) {
          fault(name, "is no XML: " + e.getMessage());
        }
      }
    }
  }

  /** The name of the file that a checksum or a signature belongs to; other names stay. */
  private static String withoutCompanion(String name) {
    String plain = name;
    for (String suffix : CHECKSUMS.keySet()) {
      plain = plain.endsWith("." + suffix) ? plain.substring(0, plain.lastIndexOf('.')) : plain;
    }
    return plain.endsWith(".asc") ? plain.substring(0, plain.length() - 4) : plain;
  }

  private void checksums() {
    boolean isSigned = files.keySet().stream().anyMatch(name -> name.endsWith(".asc"));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      String name = file.getKey();
      if (!withoutCompanion(name).equals(name)) {
        continue;
      }
      CHECKSUMS.forEach(
          (suffix, algorithm) -> {
            byte[] sum = files.get(name + "." + suffix);
            if (sum == null) {
              fault(name, "has no ." + suffix);
            } else if (!new String(sum, StandardCharsets.US_ASCII)
                .strip()
                .equals(digest(algorithm, file.getValue()))) {
              fault(name, "has another " + algorithm + " than its ." + suffix + " says");
            }
          });
      if (isSigned && !files.containsKey(name + ".asc")) {
        fault(name, "has no signature, and others have one");
      }
    }
  }

  private static String digest(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The JDK has no " + algorithm + ".", e);
    }
  }

  // ---- artifacts ----

  private void artifacts() {
    Set<String> directories = new TreeSet<>();
    files.keySet().forEach(name -> directories.add(name.substring(0, name.lastIndexOf('/') + 1)));
    Set<String> versions = new TreeSet<>();
    Set<String> addresses = new TreeSet<>();
    timestamp();
    for (String directory : directories) {
      String[] steps = directory.split("/");
      if (steps.length < 3) {
        continue;
      }
      String artifact = steps[steps.length - 2];
      String version = steps[steps.length - 1];
      versions.add(version);
      String start = directory + artifact + "-" + version;
      Element pom = poms.get(artifact);
      if (pom == null) {
        fault(directory, "has no pom");
        continue;
      }
      pom(start + ".pom", artifact, version, pom);
      addresses.add(value(pom, "url"));
      if (!"pom".equals(text(pom, "packaging"))) {
        jar(start + ".jar", Set.of("META-INF/LICENSE", "META-INF/NOTICE"), "");
        jar(start + "-sources.jar", Set.of(), hasClasses(start + ".jar") ? ".java" : "");
        jar(start + "-javadoc.jar", Set.of("index.html"), "");
        billOfMaterials(start + "-cyclonedx.json", artifact, version);
      }
    }
    if (versions.size() > 1) {
      faults.add("the artifacts have several versions: " + versions);
    }
    if (addresses.size() > 1) {
      faults.add("the poms name several addresses of the project: " + addresses);
    }
  }

  /** Reads the one time that the entries of jars have. */
  private void timestamp() {
    Element parent = poms.get("zarr-reactive-parent");
    String found = parent == null ? "" : text(parent, "properties/project.build.outputTimestamp");
    try {
      timestamp = LocalDateTime.ofInstant(Instant.parse(found), ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      faults.add("zarr-reactive-parent has no project.build.outputTimestamp such as 2026-11-20T00:00:00Z");
    }
  }

  private void pom(String name, String artifact, String version, Element pom) {
    expect(name, "modelVersion", "4.0.0", text(pom, "modelVersion"));
    expect(name, "groupId", GROUP, value(pom, "groupId"));
    expect(name, "artifactId", artifact, text(pom, "artifactId"));
    expect(name, "version", version, value(pom, "version"));
    // these two are never inherited, for they are of the one artifact
    for (String own : List.of("name", "description")) {
      if (text(pom, own).isEmpty()) {
        fault(name, "has no " + own);
      }
    }
    for (String path :
        List.of(
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "developers/developer/organization",
            "scm/connection",
            "scm/developerConnection",
            "scm/url")) {
      String found = value(pom, path);
      if (found.isEmpty()) {
        fault(name, "has no " + path);
      } else if (found.contains("${") || found.contains("placeholder.invalid")
          || isToPublish && found.contains("rehearsal.example.org")) {
        fault(name, "has " + found + " as its " + path);
      }
    }
    Element parent = child(pom, "parent");
    if (parent != null && GROUP.equals(text(parent, "groupId"))) {
      needed(name, text(parent, "artifactId"), "its parent");
    }
    dependencies(name, pom);
  }

  private void dependencies(String name, Element pom) {
    for (Element dependency : children(child(pom, "dependencies"), "dependency")) {
      String scope = text(dependency, "scope");
      boolean isOurs = GROUP.equals(text(dependency, "groupId"));
      if (isOurs && !scope.equals("test") && !scope.equals("provided")) {
        needed(name, text(dependency, "artifactId"), "a dependency");
      }
      if (text(dependency, "version").endsWith("-SNAPSHOT")) {
        fault(name, "depends on a snapshot of " + text(dependency, "artifactId"));
      }
    }
    for (String bad : List.of("repositories", "pluginRepositories")) {
      if (child(pom, bad) != null) {
        fault(name, "names " + bad + "; what it needs must be on Central");
      }
    }
  }

  private void needed(String name, String artifact, String what) {
    if (!poms.containsKey(artifact)) {
      fault(name, "needs " + artifact + ", " + what + ", which is not in the bundle");
    }
  }

  private void expect(String name, String what, String expected, String found) {
    if (!expected.equals(found)) {
      fault(name, "has " + (found.isEmpty() ? "no " + what : what + " " + found)
          + ", where " + expected + " is expected");
    }
  }

  /** Checks that a jar is there, has some entries, and one that ends like this. */
  private void jar(String name, Set<String> needed, String suffix) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      fault(name, "is missing");
      return;
    }
    Set<String> entries = new TreeSet<>();
    LocalDateTime newest = LocalDateTime.MIN;
    try (ZipInputStream jar = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
        if (!entries.add(entry.getName()) && !entry.isDirectory()) {
          fault(name, "has " + entry.getName() + " twice");
        }
        LocalDateTime time = entry.getTimeLocal();
        newest = time.isAfter(newest) ? time : newest;
      }
    } catch (IOException e) {
      fault(name, "is no jar: " + e.getMessage());
      return;
    }
    for (String entry : needed) {
      if (!entries.contains(entry)) {
        fault(name, "has no " + entry);
      }
    }
    if (entries.stream().noneMatch(entry -> !entry.endsWith("/") && entry.endsWith(suffix))) {
      fault(name, suffix.isEmpty() ? "is empty" : "has no file *" + suffix);
    }
    if (newest.isAfter(timestamp)) {
      fault(name, "has an entry of " + newest + ", later than project.build.outputTimestamp, "
          + timestamp + ", so that no other build is equal to it");
    }
  }

  /** A module of dependencies alone has no class, and so no source. */
  private boolean hasClasses(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      return true;
    }
    try (ZipInputStream jar = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
        if (entry.getName().endsWith(".class")) {
          return true;
        }
      }
    } catch (IOException e) {
      return true; // the check of the jar itself tells it
    }
    return false;
  }

  private void billOfMaterials(String name, String artifact, String version) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      fault(name, "is missing");
      return;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (!text.contains("\"CycloneDX\"")
        || !text.contains("pkg:maven/" + GROUP + "/" + artifact + "@" + version)) {
      fault(name, "is no bill of materials of " + artifact);
    }
  }

  /** The BOM names every artifact that a program may depend on, and nothing else of ours. */
  private void bom() {
    Element bom = poms.get("zarr-reactive-bom");
    if (bom == null) {
      faults.add("there is no zarr-reactive-bom");
      return;
    }
    Set<String> named = new TreeSet<>();
    Element management = child(bom, "dependencyManagement");
    for (Element dependency :
        children(management == null ? null : child(management, "dependencies"), "dependency")) {
      if (GROUP.equals(text(dependency, "groupId"))) {
        named.add(text(dependency, "artifactId"));
      }
    }
    Set<String> published = new TreeSet<>();
    poms.forEach(
        (artifact, pom) -> {
          if (!"pom".equals(text(pom, "packaging"))) {
            published.add(artifact);
          }
        });
    if (!named.equals(published)) {
      Set<String> missing = new TreeSet<>(published);
      missing.removeAll(named);
      Set<String> more = new TreeSet<>(named);
      more.removeAll(published);
      faults.add("zarr-reactive-bom lacks " + missing + " and names " + more + " in vain");
    }
  }

  // ---- poms ----

  /** The text at a path, from the pom or from the parent in the bundle, with properties replaced. */
  private String value(Element pom, String path) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (Element level = pom; level != null; level = parent(level)) {
      Element own = child(level, "properties");
      for (Node at = own == null ? null : own.getFirstChild(); at != null; ) {
        properties.putIfAbsent(at.getNodeName(), at.getTextContent().strip());
        at = at.getNextSibling();
      }
    }
    for (Element level = pom; level != null; level = parent(level)) {
      String found = text(level, path);
      if (!found.isEmpty()) {
        return Pattern.compile("\\$\\{([^}]+)}")
            .matcher(found)
            .replaceAll(
                property ->
                    Matcher.quoteReplacement(
                        properties.getOrDefault(property.group(1), property.group())));
      }
    }
    Element parent = child(pom, "parent");
    return parent == null ? "" : text(parent, path);
  }

  private Element parent(Element pom) {
    Element parent = child(pom, "parent");
    return parent == null ? null : poms.get(text(parent, "artifactId"));
  }

  private static String text(Element element, String path) {
    Element at = element;
    for (String step : path.split("/")) {
      at = at == null ? null : child(at, step);
    }
    return at == null ? "" : at.getTextContent().strip();
  }

  private static Element child(Element element, String name) {
    List<Element> all = children(element, name);
    return all.isEmpty() ? null : all.get(0);
  }

  private static List<Element> children(Element element, String name) {
    List<Element> all = new ArrayList<>();
    for (Node at = element == null ? null : element.getFirstChild(); at != null; ) {
      if (at instanceof Element child && child.getTagName().equals(name)) {
        all.add(child);
      }
      at = at.getNextSibling();
    }
    return all;
  }

  private static Element xml(byte[] bytes) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(new ByteArrayInputStream(bytes)).getDocumentElement();
    } catch (javax.xml.parsers.ParserConfigurationException | org.xml.sax.SAXException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void fault(String name, String what) {
    faults.add(name + " " + what);
  }

  // ---- signatures ----

  private static long signatures(Path bundle) throws IOException {
    try (ZipFile zip = new ZipFile(bundle.toFile())) {
      return zip.stream().filter(entry -> entry.getName().endsWith(".asc")).count();
    }
  }

  private static boolean hasGpg() throws InterruptedException {
    try {
      return new ProcessBuilder("gpg", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Verifies each signature with one key, in a keyring that holds no other. */
  private static List<String> wrongSignatures(Path bundle, Path key)
      throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("zarr-bundle");
    Path ring = work.resolve("ring");
    List<String> wrong = new ArrayList<>();
    try {
      if (gpg(work, "--no-default-keyring", "--keyring", ring.toString(), "--import", key.toString())
          != 0) {
        return List.of(key + " is no key that gpg reads");
      }
      try (ZipFile zip = new ZipFile(bundle.toFile())) {
        for (ZipEntry entry : zip.stream().filter(e -> e.getName().endsWith(".asc")).toList()) {
          String name = entry.getName().substring(0, entry.getName().length() - 4);
          ZipEntry signed = zip.getEntry(name);
          if (signed == null) {
            continue; // the layout has said so
          }
          Path signature = work.resolve("signature.asc");
          Path file = work.resolve("file");
          Files.write(signature, zip.getInputStream(entry).readAllBytes());
          Files.write(file, zip.getInputStream(signed).readAllBytes());
          if (gpg(work, "--no-default-keyring", "--keyring", ring.toString(), "--trust-model",
              "always", "--verify", signature.toString(), file.toString()) != 0) {
            wrong.add(name + " has a signature that is not by the key");
          }
        }
      }
    } finally {
      delete(work);
    }
    return wrong;
  }

  private static int gpg(Path home, String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("gpg", "--batch", "--quiet", "--homedir", home.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static void delete(Path directory) throws IOException {
    try (var all = Files.walk(directory)) {
      all.sorted(java.util.Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.deleteIfExists(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
