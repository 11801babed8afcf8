import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Runs one node of OpenSearch with the smartcn analyser, for tests: Node FOLDER HTTP_PORT TRANSPORT_PORT. */
public class Node {
    public static void main(String[] args) throws Exception {
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((number, settings) -> {
            settings.put("network.host", "127.0.0.1");
            settings.put("http.port", args[1]);
            settings.put("transport.port", args[2]);
            settings.put("discovery.type", "single-node");
            settings.put("cluster.routing.allocation.disk.threshold_enabled", "false");
        }).build(newConfigs().basePath(args[0]).numOfNode(1)
                .pluginTypes("org.opensearch.plugin.analysis.smartcn.AnalysisSmartChinesePlugin").clusterName("thresher").useLogger());
        Thread.currentThread().join();
    }
}
