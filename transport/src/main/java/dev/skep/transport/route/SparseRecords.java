package dev.skep.transport.route;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.skep.transport.describe.Sparse;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/** Leaves what is null out of {@link Sparse} records. */
final class SparseRecords extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated annotated) {
        return annotated instanceof AnnotatedClass type
                        && Sparse.class.isAssignableFrom(type.getRawType())
                ? JsonInclude.Value.construct(
                        JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS)
                : super.findPropertyInclusion(config, annotated);
    }
}
