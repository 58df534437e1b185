package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * The reachability metadata of a module for native images name what is there, and all of it: each
 * class, member and resource that they name exists; each provider of a service and each resource of
 * the module is named, and each class of {@link #reflected}. {@code -Dzarr.reachability.write=true}
 * writes the classes.
 */
public abstract class ReachabilityContract {
  private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();
  private static final Path METADATA =
      CLASSES
          .resolve("META-INF/native-image/dev.zarrreactive")
          .resolve(Objects.requireNonNull(Path.of("").toAbsolutePath().getFileName()));

  /** Resources that programs do not read. */
  private static final Pattern UNREAD =
      Pattern.compile(
          "META-INF/(MANIFEST.MF|LICENSE|NOTICE|maven/.*|native-image/.*)"
              + "|META-INF/services/reactor.blockhound.*|demo/.*|.*\\.class");

  /** Returns classes that a library creates and sets by reflection. */
  protected Set<Class<?>> reflected() {
    return Set.of();
  }

  private static JsonValue document(String name) throws IOException {
    Path file = METADATA.resolve(name);
    String text = Files.exists(file) ? Files.readString(file) : "[]";
    return JsonDocument.parse(
            ByteBuffer.wrap(("{\"x\":" + text + "}").getBytes(StandardCharsets.UTF_8)),
            Location.UNKNOWN)
        .member("x")
        .value();
  }

  private static List<JsonObject> objects(JsonValue list) {
    return list instanceof JsonArray array
        ? array.elements().stream().map(JsonObject.class::cast).toList()
        : List.of();
  }

  private static List<JsonObject> member(JsonObject object, String name) {
    JsonValue value = object.get(name);
    return value == null ? List.of() : objects(value);
  }

  @Test
  void each_class_and_member_that_is_named_exists() throws Exception {
    for (String name : List.of("reflect-config.json", "jni-config.json")) {
      for (JsonObject entry : objects(document(name))) {
        Class<?> type = type(entry.string("name").orElseThrow());
        for (JsonObject field : member(entry, "fields")) {
          assertThat(type.getDeclaredField(field.string("name").orElseThrow())).isNotNull();
        }
        for (JsonObject method : member(entry, "methods")) {
          assertThat(parametersOf(type, method.string("name").orElseThrow()))
              .as("%s", type)
              .contains(Objects.requireNonNull(method.get("parameterTypes")).toString());
        }
      }
    }
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name, false, ReachabilityContract.class.getClassLoader());
  }

  private static List<String> parametersOf(Class<?> type, String name) {
    Stream<? extends Executable> found =
        name.equals("<init>")
            ? Stream.of(type.getDeclaredConstructors())
            : Stream.of(type.getDeclaredMethods()).filter(method -> method.getName().equals(name));
    return found
        .map(
            one ->
                Stream.of(one.getParameterTypes())
                    .map(parameter -> '"' + parameter.getTypeName() + '"')
                    .collect(Collectors.joining(",", "[", "]")))
        .toList();
  }

  @Test
  void each_provider_and_reflected_class_is_named() throws Exception {
    Set<String> needed = new TreeSet<>(providers());
    reflected().forEach(type -> needed.add(type.getName()));
    if (Boolean.getBoolean("zarr.reachability.write") && !reflected().isEmpty()) {
      Path source =
          Path.of("src/main/resources").resolve(CLASSES.relativize(METADATA)).toAbsolutePath();
      Files.createDirectories(source);
      Files.writeString(source.resolve("reflect-config.json"), written(needed));
    }
    Set<String> named =
        objects(document("reflect-config.json")).stream()
            .map(entry -> entry.string("name").orElseThrow())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).as("-Dzarr.reachability.write=true writes them").containsAll(needed);
    assertThat(named)
        .filteredOn(name -> name.startsWith("dev.zarrreactive."))
        .isEqualTo(List.copyOf(needed));
  }

  private static List<String> providers() throws IOException {
    List<String> providers = new ArrayList<>();
    Path services = CLASSES.resolve("META-INF/services");
    if (Files.exists(services)) {
      try (Stream<Path> files = Files.list(services)) {
        for (Path file : files.toList()) {
          if (file.getFileName().toString().startsWith("dev.zarrreactive.")) {
            Files.readAllLines(file).stream()
                .map(line -> line.replaceAll("#.*", "").strip())
                .filter(Predicate.not(String::isEmpty))
                .forEach(providers::add);
          }
        }
      }
    }
    return providers;
  }

  private static String written(Set<String> names) {
    return names.stream()
        .map(
            name ->
                "  {\"name\": \""
                    + name
                    + "\", \"allDeclaredConstructors\": true, \"allDeclaredMethods\": true,"
                    + " \"allDeclaredFields\": true}")
        .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
  }

  @Test
  void each_resource_is_named_and_each_name_finds_one() throws Exception {
    JsonValue document = document("resource-config.json");
    List<Pattern> patterns =
        document instanceof JsonObject object
            ? member((JsonObject) Objects.requireNonNull(object.get("resources")), "includes")
                .stream()
                .map(include -> Pattern.compile(include.string("pattern").orElseThrow()))
                .toList()
            : List.of();
    Set<String> own = entries(CLASSES);
    assertThat(own)
        .filteredOn(name -> !UNREAD.matcher(name).matches())
        .allMatch(name -> patterns.stream().anyMatch(one -> one.matcher(name).matches()));
    Set<String> all = new TreeSet<>(own);
    for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
      all.addAll(entries(Path.of(place)));
    }
    assertThat(patterns)
        .allMatch(one -> all.stream().anyMatch(name -> one.matcher(name).matches()));
  }

  private static Set<String> entries(Path place) throws IOException {
    Set<String> names = new TreeSet<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        files
            .filter(Files::isRegularFile)
            .forEach(file -> names.add(place.relativize(file).toString().replace('\\', '/')));
      }
    } else if (place.toString().endsWith(".jar") && Files.exists(place)) {
      try (ZipFile jar = new ZipFile(place.toFile())) {
        jar.stream().forEach(entry -> names.add(entry.getName()));
      }
    }
    return names;
  }
}
