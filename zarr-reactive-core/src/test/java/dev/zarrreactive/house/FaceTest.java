package dev.zarrreactive.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.zarrreactive.spi.Spi;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs that open, read and write arrays meet no type of the {@link Spi}. */
class FaceTest {
  private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();

  /** The doors from the face to what is behind it. */
  private static final Set<String> DOORS =
      Set.of(
          "ArrayMetadata.codecsSource",
          "Chunk.selection",
          "CodecRegistry.create",
          "CodecRegistry.with",
          "DataType.parseFillValue",
          "DimensionSelection.resolve",
          "ElementConversion.convert",
          "Encoding.encoder",
          "NamedConfiguration.configuration",
          "NamedConfiguration.member",
          "NamedConfiguration.of",
          "NamedConfiguration.optional",
          "NamedConfiguration.parse",
          "NamedConfiguration.source",
          "NodeMetadata.entryPoint",
          "Selector.resolve",
          "StructType.parseFillValue");

  @Test
  void no_method_of_the_face_takes_or_returns_a_type_of_the_spi() throws Exception {
    Set<String> exported = exported();
    Set<String> doors = new TreeSet<>();
    for (JavaClass type : new ClassFileImporter().importPath(CLASSES)) {
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

  private static Set<String> exported() throws Exception {
    try (InputStream in = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in).exports().stream()
          .filter(export -> !export.isQualified())
          .map(ModuleDescriptor.Exports::source)
          .collect(Collectors.toSet());
    }
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
