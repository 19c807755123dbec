"""The bibliography: papers by the key under which a metric cites them."""

from __future__ import annotations

from typing import NamedTuple


class Paper(NamedTuple):
    """One paper."""

    authors: tuple[str, ...]
    year: int
    title: str
    place: str  #: journal or proceedings, volume and pages
    doi: str = ""


# fmt: off
#: All papers, by key.
BIBLIOGRAPHY: dict[str, Paper] = {
    "amigo2013": Paper(("Amigó, E.", "Gonzalo, J.", "Verdejo, F."), 2013, "A general evaluation measure for document organization tasks", "Proceedings of SIGIR 2013, 643-652", "10.1145/2484028.2484081"),
    "amigo2020": Paper(("Amigó, E.", "Gonzalo, J.", "Mizzaro, S.", "Carrillo-de-Albornoz, J."), 2020, "An effectiveness metric for ordinal classification: formal properties and experimental results", "Proceedings of ACL 2020, 3938-3949", "10.18653/v1/2020.acl-main.363"),
    "baccianella2009": Paper(("Baccianella, S.", "Esuli, A.", "Sebastiani, F."), 2009, "Evaluation measures for ordinal regression", "Proceedings of ISDA 2009, 283-287", "10.1109/ISDA.2009.230"),
    "benjamini2001": Paper(("Benjamini, Y.", "Yekutieli, D."), 2001, "The control of the false discovery rate in multiple testing under dependency", "Annals of Statistics 29(4), 1165-1188", "10.1214/aos/1013699998"),
    "binotto2023": Paper(("Binotto, G.", "Delgado, R."), 2023, "How to adapt the performance metrics to ordinal classification by intervals?", "Department of Mathematics, Universitat Autònoma de Barcelona"),
    "binotto2025": Paper(("Binotto, G.", "Delgado, R."), 2025, "Adapting performance metrics for ordinal classification to interval scale: length matters", "Machine Learning 114, 41", "10.1007/s10994-024-06654-4"),
    "bland1986": Paper(("Bland, J. M.", "Altman, D. G."), 1986, "Statistical methods for assessing agreement between two methods of clinical measurement", "The Lancet 327(8476), 307-310", "10.1016/S0140-6736(86)90837-8"),
    "bowker1948": Paper(("Bowker, A. H.",), 1948, "A test for symmetry in contingency tables", "Journal of the American Statistical Association 43(244), 572-574", "10.1080/01621459.1948.10483284"),
    "brennan1981": Paper(("Brennan, R. L.", "Prediger, D. J."), 1981, "Coefficient kappa: some uses, misuses, and alternatives", "Educational and Psychological Measurement 41(3), 687-699", "10.1177/001316448104100307"),
    "brier1950": Paper(("Brier, G. W.",), 1950, "Verification of forecasts expressed in terms of probability", "Monthly Weather Review 78, 1-3", "10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2"),
    "calderon2025": Paper(("Calderon, N.", "Reichart, R.", "Dror, R."), 2025, "The alternative annotator test for LLM-as-a-judge: how to statistically justify replacing human annotators with LLMs", "Proceedings of ACL 2025 (Volume 1), 16051-16081"),
    "cardoso2011": Paper(("Cardoso, J. S.", "Sousa, R."), 2011, "Measuring the performance of ordinal classification", "International Journal of Pattern Recognition and Artificial Intelligence 25(8), 1173-1195", "10.1142/S0218001411009093"),
    "castagnos2022": Paper(("Castagnos, F.", "Mihelich, M.", "Dognin, C."), 2022, "A simple log-based loss function for ordinal text classification", "Proceedings of COLING 2022, 4604-4609"),
    "cohen1968": Paper(("Cohen, J.",), 1968, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit", "Psychological Bulletin 70(4), 213-220", "10.1037/h0026256"),
    "conger1980": Paper(("Conger, A. J.",), 1980, "Integration and generalization of kappas for multiple raters", "Psychological Bulletin 88(2), 322-328", "10.1037/0033-2909.88.2.322"),
    "cox1958": Paper(("Cox, D. R.",), 1958, "Two further applications of a model for binary regression", "Biometrika 45, 562-565", "10.1093/biomet/45.3-4.562"),
    "cruzramirez2014": Paper(("Cruz-Ramírez, M.", "Hervás-Martínez, C.", "Sánchez-Monedero, J.", "Gutiérrez, P. A."), 2014, "Metrics to guide a multi-objective evolutionary algorithm for ordinal classification", "Neurocomputing 135, 21-31", "10.1016/j.neucom.2013.05.058"),
    "dacosta2008": Paper(("da Costa, J. F. P.", "Alonso, H.", "Cardoso, J. S."), 2008, "The unimodal model for the classification of ordinal data", "Neural Networks 21, 78-91", "10.1016/j.neunet.2007.10.003"),
    "epstein1969": Paper(("Epstein, E. S.",), 1969, "A scoring system for probability forecasts of ranked categories", "Journal of Applied Meteorology 8, 985-987", "10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2"),
    "fernandezcaballero2010": Paper(("Fernández Caballero, J. C.", "Martínez, F. J.", "Hervás, C.", "Gutiérrez, P. A."), 2010, "Sensitivity versus accuracy in multiclass problems using memetic Pareto evolutionary neural networks", "IEEE Transactions on Neural Networks 21(5), 750-770", "10.1109/TNN.2010.2041468"),
    "fleiss1971": Paper(("Fleiss, J. L.",), 1971, "Measuring nominal scale agreement among many raters", "Psychological Bulletin 76(5), 378-382", "10.1037/h0031619"),
    "gaudette2009": Paper(("Gaudette, L.", "Japkowicz, N."), 2009, "Evaluation methods for ordinal classification", "Advances in Artificial Intelligence, LNCS 5549, 207-210", "10.1007/978-3-642-01818-3_25"),
    "george2016": Paper(("George, N. I.", "Lu, T.-P.", "Chang, Ch.-W."), 2016, "Cost-sensitive performance metric for comparing multiple ordinal classifiers", "Artificial Intelligence Research 5(1), 135-143", "10.5430/air.v5n1p135"),
    "good1952": Paper(("Good, I. J.",), 1952, "Rational decisions", "Journal of the Royal Statistical Society, Series B 14, 107-114", "10.1111/j.2517-6161.1952.tb00104.x"),
    "goodman1954": Paper(("Goodman, L. A.", "Kruskal, W. H."), 1954, "Measures of association for cross classifications", "Journal of the American Statistical Association 49(268), 732-764", "10.1080/01621459.1954.10501231"),
    "gorodkin2004": Paper(("Gorodkin, J.",), 2004, "Comparing two K-category assignments by a K-category correlation coefficient", "Computational Biology and Chemistry 28(5-6), 367-374", "10.1016/j.compbiolchem.2004.09.006"),
    "gwet2008": Paper(("Gwet, K. L.",), 2008, "Computing inter-rater reliability and its variance in the presence of high agreement", "British Journal of Mathematical and Statistical Psychology 61(1), 29-48", "10.1348/000711006X126600"),
    "haberman2008": Paper(("Haberman, S. J.",), 2008, "When can subscores have value?", "Journal of Educational and Behavioral Statistics 33(2), 204-229", "10.3102/1076998607302636"),
    "harrell1982": Paper(("Harrell, F. E.", "Califf, R. M.", "Pryor, D. B.", "Lee, K. L.", "Rosati, R. A."), 1982, "Evaluating the yield of medical tests", "JAMA 247, 2543-2546", "10.1001/jama.1982.03320430047030"),
    "hayes2007": Paper(("Hayes, A. F.", "Krippendorff, K."), 2007, "Answering the call for a standard reliability measure for coding data", "Communication Methods and Measures 1(1), 77-89", "10.1080/19312450709336664"),
    "kendall1939": Paper(("Kendall, M. G.", "Babington Smith, B."), 1939, "The problem of m rankings", "Annals of Mathematical Statistics 10(3), 275-287", "10.1214/aoms/1177732186"),
    "kendall1945": Paper(("Kendall, M. G.",), 1945, "The treatment of ties in ranking problems", "Biometrika 33(3), 239-251", "10.1093/biomet/33.3.239"),
    "kubat1997": Paper(("Kubat, M.", "Matwin, S."), 1997, "Addressing the curse of imbalanced training sets: one-sided selection", "Proceedings of ICML 1997, 179-186"),
    "light1971": Paper(("Light, R. J.",), 1971, "Measures of response agreement for qualitative data: some generalizations and alternatives", "Psychological Bulletin 76(5), 365-377", "10.1037/h0031643"),
    "loukina2020": Paper(("Loukina, A.", "Madnani, N.", "Cahill, A.", "Yao, L.", "Johnson, M. S.", "Riordan, B.", "McCaffrey, D. F."), 2020, "Using PRMSE to evaluate automated scoring systems in the presence of label noise", "Proceedings of BEA 2020, 18-29", "10.18653/v1/2020.bea-1.2"),
    "mosley2013": Paper(("Mosley, L.",), 2013, "A balanced approach to the multi-class imbalance problem", "PhD thesis, Iowa State University"),
    "naeini2015": Paper(("Naeini, M. P.", "Cooper, G. F.", "Hauskrecht, M."), 2015, "Obtaining well calibrated probabilities using Bayesian binning", "Proceedings of AAAI 2015, 2901-2907", "10.1609/aaai.v29i1.9602"),
    "nakas2004": Paper(("Nakas, C. T.", "Yiannoutsos, C. T."), 2004, "Ordered multiple-class ROC analysis with continuous measurements", "Statistics in Medicine 23, 3437-3449", "10.1002/sim.1917"),
    "opitz2019": Paper(("Opitz, J.", "Burst, S."), 2019, "Macro F1 and macro F1", "arXiv:1911.03347"),
    "pearson1895": Paper(("Pearson, K.",), 1895, "Note on regression and inheritance in the case of two parents", "Proceedings of the Royal Society of London 58, 240-242", "10.1098/rspl.1895.0041"),
    "pintodacosta2008": Paper(("Pinto da Costa, J. F.", "Alonso, H.", "Cardoso, J. S."), 2008, "The unimodal model for the classification of ordinal data", "Neural Networks 21(1), 78-91", "10.1016/j.neunet.2007.10.003"),
    "rennie2005": Paper(("Rennie, J. D. M.", "Srebro, N."), 2005, "Loss functions for preference levels: regression with discrete ordered labels", "IJCAI Multidisciplinary Workshop on Advances in Preference Handling, 180-186"),
    "scott1955": Paper(("Scott, W. A.",), 1955, "Reliability of content analysis: the case of nominal scale coding", "Public Opinion Quarterly 19(3), 321-325", "10.1086/266577"),
    "shannon1948": Paper(("Shannon, C. E.",), 1948, "A mathematical theory of communication", "Bell System Technical Journal 27(3), 379-423", "10.1002/j.1538-7305.1948.tb01338.x"),
    "shrout1979": Paper(("Shrout, P. E.", "Fleiss, J. L."), 1979, "Intraclass correlations: uses in assessing rater reliability", "Psychological Bulletin 86(2), 420-428", "10.1037/0033-2909.86.2.420"),
    "silva2018": Paper(("Silva, W.", "Pinto, J. R.", "Cardoso, J. S."), 2018, "A uniform performance index for ordinal classification with imbalanced classes", "Proceedings of IJCNN 2018", "10.1109/IJCNN.2018.8489327"),
    "sokolova2009": Paper(("Sokolova, M.", "Lapalme, G."), 2009, "A systematic analysis of performance measures for classification tasks", "Information Processing & Management 45(4), 427-437", "10.1016/j.ipm.2009.03.002"),
    "somers1962": Paper(("Somers, R. H.",), 1962, "A new asymmetric measure of association for ordinal variables", "American Sociological Review 27(6), 799-811", "10.2307/2090408"),
    "spearman1904": Paper(("Spearman, C.",), 1904, "The proof and measurement of association between two things", "American Journal of Psychology 15(1), 72-101", "10.2307/1412159"),
    "stehman1997": Paper(("Stehman, S. V.",), 1997, "Selecting and interpreting measures of thematic classification accuracy", "Remote Sensing of Environment 62(1), 77-89", "10.1016/S0034-4257(97)00083-7"),
    "stuart1955": Paper(("Stuart, A.",), 1955, "A test for homogeneity of the marginal distributions in a two-way classification", "Biometrika 42(3-4), 412-416", "10.1093/biomet/42.3-4.412"),
    "vargas2024": Paper(("Vargas, V. M.", "Gutiérrez, P. A.", "Barbero-Gómez, J.", "Hervás-Martínez, C."), 2024, "Improving the classification of extreme classes by means of loss regularisation and generalised beta distributions", "arXiv:2407.12417"),
    "vovk2005": Paper(("Vovk, V.", "Gammerman, A.", "Shafer, G."), 2005, "Algorithmic learning in a random world", "Springer, New York", "10.1007/b106715"),
    "waegeman2008": Paper(("Waegeman, W.", "De Baets, B.", "Boullart, L."), 2008, "ROC analysis in ordinal regression learning", "Pattern Recognition Letters 29, 1-9", "10.1016/j.patrec.2007.07.019"),
    "weigel2007": Paper(("Weigel, A. P.", "Liniger, M. A.", "Appenzeller, C."), 2007, "The discrete Brier and ranked probability skill scores", "Monthly Weather Review 135, 118-124", "10.1175/MWR3280.1"),
    "willmott2005": Paper(("Willmott, C. J.", "Matsuura, K."), 2005, "Advantages of the mean absolute error (MAE) over the root mean square error (RMSE) in assessing average model performance", "Climate Research 30(1), 79-82", "10.3354/cr030079"),
    "zhao2004": Paper(("Zhao, Y.", "Karypis, G."), 2004, "Empirical and theoretical comparisons of selected criterion functions for document clustering", "Machine Learning 55(3), 311-331", "10.1023/B:MACH.0000027785.44527.d6"),
}
# fmt: on


def reference(key: str) -> str:
    """One paper in one line.

    >>> reference("scott1955")
    'Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly 19(3), 321-325. doi:10.1086/266577'
    """
    paper = BIBLIOGRAPHY[key]
    doi = f" doi:{paper.doi}" if paper.doi else ""
    title = paper.title if paper.title.endswith("?") else f"{paper.title}."
    return f"{', '.join(paper.authors)} ({paper.year}). {title} {paper.place}.{doi}"
