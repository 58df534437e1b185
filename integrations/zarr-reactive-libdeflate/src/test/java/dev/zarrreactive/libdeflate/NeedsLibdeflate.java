package dev.zarrreactive.libdeflate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests that are skipped on a machine without libdeflate. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "dev.zarrreactive.libdeflate.InstalledLibrary#isInstalled",
    disabledReason = "libdeflate is not installed; Debian has it in the package libdeflate0")
public @interface NeedsLibdeflate {}
