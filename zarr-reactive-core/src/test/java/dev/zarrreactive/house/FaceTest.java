package dev.zarrreactive.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.spi.Spi;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Programs that open, read and write arrays meet no type of the {@link Spi}, and one word for one
 * thing.
 */
class FaceTest {
  /** The classes of the modules that a program has with core. */
  private static final List<Path> CLASSES =
      Stream.of("base", "store", "format", "codecs", "core")
          .map(name -> Path.of("..", "zarr-reactive-" + name, "target", "classes"))
          .map(classes -> classes.toAbsolutePath().normalize())
          .toList();

  /** The doors from the face to what is behind it. */
  private static final Set<String> DOORS =
      Set.of(
          "ArrayMetadata.codecsSource",
          "Chunk.selection",
          "CodecRegistry.create",
          "CodecRegistry.with",
          "DataType.parseFillValue",
          "DimensionSelection.resolve",
          "Encoding.converted",
          "Encoding.encoder",
          "GroupMetadata.consolidated",
          "NamedConfiguration.configuration",
          "NamedConfiguration.member",
          "NamedConfiguration.of",
          "NamedConfiguration.optional",
          "NamedConfiguration.parse",
          "NamedConfiguration.source",
          "NodeMetadata.entryPoint",
          "Selector.resolve",
          "StructType.parseFillValue",
          "ZarrArray.chunks",
          "ZarrArray.chunksInOrder",
          "ZarrArray.read",
          "ZarrArray.readInto");

  private static final Set<String> VERBS =
      Set.of("open", "openArray", "openGroup", "exists", "createArray", "createGroup", "erase");

  @Test
  void no_method_of_the_face_takes_or_returns_a_type_of_the_spi() throws Exception {
    Set<String> exported = exported();
    Set<String> doors = new TreeSet<>();
    for (JavaClass type : new ClassFileImporter().importPaths(CLASSES)) {
      if (exported.contains(type.getPackageName()) && isFace(type)) {
        for (JavaMethod method : type.getMethods()) {
          if (method.getModifiers().contains(JavaModifier.PUBLIC)
              && !isInherited(method)
              && Stream.concat(
                      Stream.of(method.getRawReturnType()), method.getRawParameterTypes().stream())
                  .anyMatch(FaceTest::isSpi)) {
            doors.add(type.getSimpleName() + "." + method.getName());
          }
        }
      }
    }
    assertThat(doors).isEqualTo(DOORS);
  }

  /** The verbs, with what follows the path; a location has no path. */
  private static Set<String> verbs(Class<?> type, boolean hasPath) {
    return Arrays.stream(type.getMethods())
        .filter(method -> VERBS.contains(method.getName()))
        .map(
            method -> {
              List<Class<?>> taken = List.of(method.getParameterTypes());
              if (hasPath) {
                assertThat(taken).as(method.toString()).startsWith(String.class);
              }
              return method.getName()
                  + taken.subList(hasPath ? 1 : 0, taken.size())
                  + " "
                  + method.getGenericReturnType();
            })
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void a_location_a_hierarchy_and_a_group_have_the_same_verbs() {
    Set<String> verbs = verbs(ZarrHierarchy.class, true);
    assertThat(verbs).hasSize(VERBS.size() + 1); // createGroup with metadata and without
    assertThat(verbs(ZarrGroup.class, true)).isEqualTo(verbs);
    assertThat(verbs(ZarrLocation.class, false)).isEqualTo(verbs);
  }

  private static Set<String> exported() throws Exception {
    Set<String> packages = new HashSet<>();
    for (Path classes : CLASSES) {
      try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
        ModuleDescriptor.read(in).exports().stream()
            .filter(export -> !export.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .forEach(packages::add);
      }
    }
    return packages;
  }

  private static boolean isInherited(JavaMethod method) {
    return Stream.concat(
            method.getOwner().getAllRawInterfaces().stream(),
            method.getOwner().getAllRawSuperclasses().stream())
        .anyMatch(
            above ->
                above
                    .tryGetMethod(
                        method.getName(),
                        method.getRawParameterTypes().stream()
                            .map(JavaClass::getName)
                            .toArray(String[]::new))
                    .isPresent());
  }

  private static boolean isFace(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC) && !isSpi(type);
  }

  /** Returns true for a type with the mark, and for one inside of such a type. */
  private static boolean isSpi(JavaClass type) {
    return type.isAnnotatedWith(Spi.class)
        || type.getEnclosingClass().map(FaceTest::isSpi).orElse(false);
  }
}
