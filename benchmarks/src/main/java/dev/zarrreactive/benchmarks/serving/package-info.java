/** What a server does for many clients. */
@NullMarked
package dev.zarrreactive.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
